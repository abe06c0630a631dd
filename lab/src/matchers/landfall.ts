// The product: every event goes to its own pure functions, over a store in memory.
import {
  type Ask,
  claimantOf,
  createPool,
  type Device,
  firstMet,
  heard,
  isFirstOfDay,
  isYoung,
  met,
  NOTHING_SEEN,
  restoreInOrder,
  rolloutOf,
  type Sighting,
} from '@landfall/attribution/matching';
import { MatchingSettings } from '@landfall/contracts';
import type { Install, Opening, Start, Tap } from '../world/events.ts';
import { DAY, MINUTE, SECOND } from '../world/time.ts';
import { createContacts } from './contacts.ts';
import type { Level } from './levels.ts';
import { type Matcher, NO_LINKS } from './matcher.ts';
import { APP_ID, createHashes, numberIn, timeOf, uuid } from './names.ts';
import { createStore } from './store.ts';

export interface LandfallOptions {
  readonly level: Level;
  readonly existingUsers: boolean;
  /** The time when the app was made in Landfall, in milliseconds from the begin of the run. */
  readonly createdAt: number;
}

/** Contacts are kept for this long by default. */
const KEEP_CONTACTS = 7 * DAY;
/** Counts of devices are read anew after this time, as in the product. */
const COUNTS_FRESH = 10 * SECOND;

export function createLandfall({ level, existingUsers, createdAt }: LandfallOptions): Matcher {
  const matching = MatchingSettings.parse({ existingUsers });
  const appCreatedAt = timeOf(createdAt).toISOString();
  const hashes = { device: createHashes('device'), address: createHashes('address'), agent: createHashes('agent') };
  const userAgent = createHashes('client')(0);
  const store = createStore();
  const contacts = createContacts(KEEP_CONTACTS);
  const devices: (Device | undefined)[] = [];
  let messages = 0;
  let counted = { at: Number.NEGATIVE_INFINITY, activity: NOTHING_SEEN };

  return { tap, opening, start };

  function tap({ id, at, link, v4, platform, userAgent: agent }: Tap): void {
    const who = -1 - agent;
    contacts.record(v4, who, at, false);
    if (platform === null) return;
    store.insert(v4, {
      id: uuid('tap', id),
      appId: APP_ID,
      linkId: uuid('link', link),
      kind: 'tap',
      originalUrl: null,
      sealedUrl: null,
      tappedAt: timeOf(at),
      platform,
      address: hashes.address(v4),
      userAgent: hashes.agent(agent),
      email: null,
      fingerprint: null,
      others: contacts.countOthers(v4, who, at),
      archivedAt: null,
      expiresAt: null,
      closedBy: null,
      closedAt: null,
    });
  }

  function opening({ at, link, v4 }: Opening): void {
    store.open(v4, uuid('link', link), at);
  }

  function start({ at, install, v4, heartbeat, heartbeatOnly }: Start): readonly number[] {
    const now = timeOf(at);
    const { device } = install;
    const platform = level.platform ? install.phone.platform : null;
    if (heartbeat) {
      const known = devices[device];
      // Strangers are far away: each heartbeat of theirs comes from somewhere else, and nobody else is ever there.
      const from = heartbeatOnly ? null : hashes.address(v4);
      const beat = { id: `${messages++}`, at: now, from, platform };
      devices[device] = heard(known ?? firstMet(APP_ID, hashes.device(device), now), beat, matching);
      count(known, device, now, at);
      if (heartbeatOnly) return NO_LINKS;
      contacts.record(v4, device, at, true);
    }
    const known = devices[device];
    const seen = met(known ?? firstMet(APP_ID, hashes.device(device), now), now, matching.returningDeviceDays);
    devices[device] = seen;
    const contact = contacts.record(v4, device, at, false);
    count(known, device, now, at);

    const token = tokenOf(install);
    const { rows, crowd } = store.findCandidates({
      at,
      address: v4,
      tapId: token?.tapId ?? null,
      window: matching.windowMinutes * MINUTE,
      crowdTaps: matching.crowdTaps,
    });
    if (rows.length === 0 && !crowd && !store.mayRepeat(device, at)) return NO_LINKS;

    const ask: Ask = {
      id: `${messages++}`,
      now,
      appId: APP_ID,
      token,
      email: null,
      fingerprint: seen.device,
      address: hashes.address(v4),
      userAgent,
      from: hashes.address(v4),
      platform,
      installedSecondsAgo: level.installAge ? Math.floor((at - install.installedAt) / SECOND) : null,
      appCreatedAt,
      country: null,
      appVersion: null,
      matching,
      final: true,
    };
    const sighting: Sighting = {
      device: seen,
      firstHereAt: timeOf(contact.firstAt),
      lastHeartbeatAt: contact.lastHeartbeatAt < 0 ? null : timeOf(contact.lastHeartbeatAt),
      others: rows.length > 0 ? contacts.countOthers(v4, device, at) : 0,
      rollout: rows.length > 0 ? rolloutAt(ask, at) : null,
      crowd,
      given: [],
      tokenSpent: false,
    };
    const claimant = claimantOf(ask, seen);
    const earlier = store.findEarlier(claimant, token !== null, rows.length > 0 ? seen.device : null, at);
    const { restores } = restoreInOrder(
      [{ ...ask, claimant, sighting, expired: () => false }],
      createPool(rows),
      earlier,
    );
    const [restore] = restores;
    if (restore === undefined) return NO_LINKS;
    store.keep(restore, device, at);
    return restore.reply.matches.map(({ linkId }) => numberIn(linkId));
  }

  /** Returns the content of the token that the client read from the store or from the clipboard. */
  function tokenOf({ referrer, clipboard, sentReferrer }: Install): Ask['token'] {
    const named = sentReferrer ?? (level.referrer ? referrer : null) ?? (level.clipboard ? clipboard : null);
    if (named === null) return null;
    return { tapId: uuid('tap', named.id), linkId: uuid('link', named.link), tappedAt: timeOf(named.at).toISOString() };
  }

  /** Counts a device that is seen for the first time on its day. The counts matter only while users may be arriving. */
  function count(known: Device | undefined, device: number, now: Date, at: number): void {
    if (!existingUsers) return;
    if (isFirstOfDay(hashes.device(device), known?.lastSeen ?? null, now)) store.count(at, known === undefined);
  }

  function rolloutAt({ installedSecondsAgo, now }: Ask, at: number): Sighting['rollout'] {
    if (!existingUsers || installedSecondsAgo !== null) return null;
    const created = timeOf(createdAt);
    if (!isYoung(created, now) && at - counted.at >= COUNTS_FRESH) counted = { at, activity: store.activity(at) };
    return rolloutOf(created, now, counted.activity);
  }
}
