// The product: every event goes to its own pure functions, over a store in memory.
import {
  type Ask,
  claimantOf,
  createPool,
  isFirstOfDay,
  longestWindow,
  NOTHING_SEEN,
  type Restore,
  restoreInOrder,
  rolloutOf,
  type Sighting,
} from '@landfall/attribution/matching';
import { MatchingSettings } from '@landfall/contracts';
import type { Opening, Start, Tap } from '../world/events.ts';
import type { Starts } from '../world/starts.ts';
import { HOUR, MINUTE, SECOND } from '../world/time.ts';
import { NEVER } from './contacts.ts';
import type { Level } from './levels.ts';
import { type Matcher, NO_LINKS } from './matcher.ts';
import { APP_ID, BEGIN, createHashes, hash, numberIn, shortHash, timeOf, uuid } from './names.ts';
import { createPeopleMet } from './people-met.ts';
import { createStore } from './store.ts';
import { addressOf, ageOf, deviceOf, provenBy, seenIn, tokenOf, toldBy } from './told.ts';

export interface LandfallOptions {
  readonly starts: Starts;
  readonly level: Level;
  readonly existingUsers: boolean;
  /** The time when the app was made in Landfall, in milliseconds from the begin of the run. */
  readonly createdAt: number;
  readonly clipboardMinutes: number;
  /** Gets every decision that the product would store. */
  readonly decided?: (restore: Restore) => void;
}

/** The most devices that an address counts in an hour of those that were never seen before. */
const MOST_NEW = 2;
/** Counts of devices are read anew after this time, as in the product. */
const COUNTS_FRESH = 10 * SECOND;
/** A start may get an answer once more for some seconds after a tap has become too old. */
const ONCE_MORE = MINUTE;

/** Remembers for an hour which devices were met for the first time, and at which address. */
function createFirstMet() {
  const byAddress = new Map<number, { device: string; at: number; since: number }[]>();
  return {
    at: (address: number, now: number) =>
      (byAddress.get(address) ?? [])
        .filter(({ at, since }) => Math.min(at, since) > now - HOUR)
        .map(({ device }) => device),
    add(address: number, one: { device: string; at: number; since: number }): void {
      const recent = (byAddress.get(address) ?? []).filter(({ at }) => at > one.at - HOUR);
      byAddress.set(address, [...recent, one]);
    },
  };
}

export function createLandfall(options: LandfallOptions): Matcher {
  const { starts, level, existingUsers, createdAt, clipboardMinutes, decided } = options;
  const matching = MatchingSettings.parse({ existingUsers, ...level.settings });
  const appCreatedAt = timeOf(createdAt).toISOString();
  const addressHash = createHashes('address', hash);
  const agentHash = createHashes('user agent', hash);
  const buildHash = createHashes('build', shortHash);
  const modelHash = createHashes('model', shortHash);
  const hashedModel = (model: number | null) => (model === null ? null : modelHash(model));
  const userAgent = hash('client 0');
  const store = createStore();
  const firstMet = createFirstMet();
  const people = createPeopleMet({
    starts,
    level,
    matching,
    addressHash,
    // The counts matter only while users of before may be arriving.
    ...(existingUsers && {
      seen(device, before, at, address) {
        const met = firstMet.at(address, at);
        const isCounted = before !== null || met.filter((one) => one !== device).length < MOST_NEW;
        if (isCounted && isFirstOfDay(device, before?.lastSeen ?? null, timeOf(at))) store.count(at, before === null);
        const since = before === null ? at : before.firstSeen.getTime() - BEGIN;
        if (since > at - HOUR && !met.includes(device)) firstMet.add(address, { device, at, since });
      },
    }),
  });
  const longest = longestWindow({
    matching,
    model: level.model ? '' : null,
    ipv6: level.ipv6 ? '' : null,
    installedSecondsAgo: level.installAge ? 0 : null,
  });
  const rolloutAt = rolloutReader(store, timeOf(createdAt));

  return { window: existingUsers ? undefined : longest * MINUTE + ONCE_MORE, tap, opening, start };

  function tap(tap: Tap, place: number): void {
    const { id, at, link } = tap;
    const address = addressOf(tap, level);
    const seen = seenIn(tap, level);
    const who = -1 - tap.userAgent;
    const contacts = people.contactsAt(address, place);
    contacts.record(address, who, at, false, seen);
    if (seen.platform === null) return;
    store.insert(address, {
      id: uuid('tap', id),
      appId: APP_ID,
      linkId: uuid('link', link),
      kind: 'tap',
      originalUrl: null,
      sealedUrl: null,
      tappedAt: timeOf(at),
      platform: seen.platform,
      model: hashedModel(seen.model),
      osMajor: seen.osMajor,
      builds: tap.build === null ? null : [buildHash(tap.build)],
      language: null,
      address: addressHash(address),
      userAgent: agentHash(tap.userAgent),
      email: null,
      fingerprint: null,
      ...contacts.compareOthers(address, who, at, seen),
      archivedAt: null,
      expiresAt: null,
      closedBy: null,
      closedAt: null,
    });
  }

  /** The app asks over IPv4: link hosts may have IPv6, the API has none. */
  function opening({ at, link, v4 }: Opening): void {
    store.open(v4, uuid('link', link), at);
  }

  function start(start: Start): readonly number[] {
    const { at, place, install, v4 } = start;
    const device = deviceOf(install, level);
    if (existingUsers) people.deviceAt(start);
    if (start.heartbeatOnly) return NO_LINKS;
    const token = tokenOf(start, level, clipboardMinutes * MINUTE);
    const told = toldBy(install, level);
    const v6 = provenBy(start, level);
    const installedSecondsAgo = ageOf(start, level);
    const phone = { model: hashedModel(told.model), ipv6: v6 === null ? null : addressHash(v6), installedSecondsAgo };
    const { rows, crowd } = store.findCandidates({
      at,
      v4,
      v6,
      tapId: token?.tapId ?? null,
      window: longestWindow({ matching, ...phone }) * MINUTE,
      crowdTaps: matching.crowdTaps,
    });
    if (rows.length === 0 && !crowd && !store.mayRepeat(device, at)) return NO_LINKS;

    const seen = people.deviceAt(start);
    if (v6 !== null) people.contactsAt(v6, place + 1);
    const contacts = people.contactsAt(v4, place + 1);
    // Where nobody ever taps, nobody is counted, and nothing can be matched by address.
    const contact = contacts.find(v4, device);
    const ask: Ask = {
      id: `${place}`,
      now: timeOf(at),
      appId: APP_ID,
      token,
      email: null,
      fingerprint: seen.device,
      address: addressHash(v4),
      userAgent,
      from: () => addressHash(v4),
      platform: told.platform,
      ...phone,
      site: null,
      osMajor: told.osMajor,
      build: level.ownId ? null : buildHash(device),
      language: null,
      appCreatedAt,
      country: null,
      appVersion: null,
      matching,
      caller: null,
      final: true,
    };
    const sighting: Sighting = {
      device: seen,
      firstHereAt: timeOf(contact?.firstAt ?? at),
      lastHeartbeatAt:
        contact === undefined || contact.lastHeartbeatAt === NEVER ? null : timeOf(contact.lastHeartbeatAt),
      others: rows.length > 0 ? contacts.countOthers(v4, device, at) : 0,
      newcomers: rows.length > 0 ? contacts.countNewcomers(v4, device, at) : 0,
      newDevices: rows.length > 0 ? people.countNew(contacts.cameJustNow(v4, device, at), at) : 0,
      rollout: rows.length > 0 && existingUsers && installedSecondsAgo === null ? rolloutAt(at) : null,
      crowd,
      given: [],
      tokenSpent: false,
    };
    const claimant = claimantOf(ask, seen);
    const earlier = store.findEarlier(claimant, token !== null, rows.length > 0 ? seen.device : null, at);
    const request = { ...ask, claimant, sighting, expired: () => false };
    const [restore] = restoreInOrder([request], createPool(rows), earlier).restores;
    if (restore === undefined) return NO_LINKS;
    decided?.(restore);
    store.keep(restore, device, at);
    return restore.reply.matches.map(({ linkId }) => numberIn(linkId));
  }
}

/** Returns a function that tells how the users of before arrive, from counts that it reads anew after some seconds. */
function rolloutReader(store: ReturnType<typeof createStore>, created: Date) {
  let counted = { at: Number.NEGATIVE_INFINITY, activity: NOTHING_SEEN };
  return (at: number): Sighting['rollout'] => {
    if (at - counted.at >= COUNTS_FRESH) counted = { at, activity: store.activity(at) };
    return rolloutOf(created, timeOf(at), counted.activity);
  };
}
