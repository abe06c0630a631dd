// The facts of a decision: what it was made from, so that it can be made again with other settings. They hold ages, counts
// and equalities, and no personal data. The keys are short, because there is a row for each decision.
import type { Platform } from '@landfall/contracts';
import {
  type Ask,
  isFreshToken,
  isHere,
  isOpen,
  newestFirst,
  type PendingLink,
  type Sighting,
  whyGone,
} from '../candidate.ts';
import { isShared } from '../device.ts';
import type { Reaching } from '../rollout.ts';
import { longestWindow, namedPlatform } from '../rules/evidence.ts';
import { minutes, seconds, since } from '../time.ts';

/** Minutes before a decision in which all taps are remembered. */
export const REMEMBERED_MINUTES = 120;

/** The greatest values of these settings of an app. */
export const LONGEST = { newDeviceMinutes: 1440, sharedFingerprintDays: 365, sameStartSeconds: 600 } as const;

/** The most taps that are remembered with a decision. */
export const MOST_TAPS = 50;

/** The taps at the addresses of a restore, open and closed. */
export interface Nearby {
  readonly rows: readonly PendingLink[];
  /** True when there are more than were read. */
  readonly truncated: boolean;
  /** The rollout of the app, whether the app has `existingUsers` or not. */
  readonly rollout: Reaching | null;
}

/** Spans are milliseconds before the decision. */
export interface Facts {
  /** 1: no allowed setting changes the decision. Then there is no other fact. */
  readonly never?: 1;
  /** Since the device was new. */
  readonly n?: number;
  /** Since it came back after an absence, and the whole days of the absence. Set instead of `n` within a day. */
  readonly r?: readonly [number, number];
  /** Since its fingerprint was last seen to be shared. */
  readonly s?: number;
  /** The number of others at the address, and of those among them who came for the first time in a week. */
  readonly d?: number;
  readonly w?: number;
  /** The number of devices that were met for the first time there in the last ten minutes. */
  readonly e?: number;
  /** Since it was first met at this address. */
  readonly f?: number;
  /** Since its last heartbeat. */
  readonly h?: number;
  /** The seconds since the install, as the client told. */
  readonly i?: number;
  readonly p?: PlatformCode;
  /** 1: its model is known. */
  readonly m?: 1;
  /** The major version of its Android. */
  readonly o?: number;
  /** The rollout of the app. 1: its first day. */
  readonly u?: 'y' | 'm';
  readonly b?: 1;
  /** 1: it has an IPv6 address beside its address. 2: its address is an IPv6 address. */
  readonly v?: 1 | 2;
  /** 1: the caller no longer waited for the links. */
  readonly g?: 1;
  /** The settings by which the taps were a crowd: the most open taps, and the minutes in which they were counted. */
  readonly c?: readonly [number, number];
  /** The index of the tap that a valid token names. */
  readonly k?: number;
  /** 1: the token was used before. */
  readonly q?: 1;
  /** The span in which all taps are known. Left out: the usual one. */
  readonly x?: number;
  /** The ids of links: 16 bytes as base64url. */
  readonly l?: readonly string[];
  /** The taps, the newest first. */
  readonly t?: readonly TapFacts[];
}

/**
 * A tap: its short id, the index of its link, its age, the numbers of others (all, of its platform, alike), its platform,
 * model, Android and browser, bits, and the short id of the message that closed it. Equal models and equal browsers of
 * one decision have equal numbers. The model 0 is that of the device.
 */
export type TapFacts = readonly [
  id: string,
  link: number,
  age: number,
  others: number,
  ofPlatform: number | null,
  alike: number | null,
  platform: PlatformCode | 0,
  model: number | null,
  osMajor: number | null,
  browser: number | null,
  bits: number,
  closedBy?: string,
];

export type PlatformCode = 'i' | 'a';

export const BITS = {
  overIpv6: 1,
  /** At another address than the caller. Only its token names it. */
  elsewhere: 2,
  /** The decision did not look at it: too old, or closed. */
  beyond: 4,
  sameLanguage: 8,
  otherLanguage: 16,
  archived: 32,
  expired: 64,
  /** Closed, by nobody who is known. */
  closed: 128,
  /** Closed by an opening that its row does not name yet. So it counts as open among the taps of a crowd. */
  opened: 256,
  /** The public client asks, and the phone that tapped has its fingerprint, or another one. */
  sameBuild: 512,
  otherBuild: 1024,
} as const;

/** The span in which taps are remembered. An app may look back further. */
export const spanOf = (ask: Ask): number => minutes(Math.max(REMEMBERED_MINUTES, longestWindow(ask)));

/**
 * Returns true when an allowed setting may change the decision: it calls the device new, so that it may get a tap by
 * address, or it gave the link of the token to the device before, by address. Otherwise nothing is remembered: restores of
 * existing users must not fill the table. An app that uses exact evidence only remembers nothing of addresses either.
 */
export function dependsOnSettings(ask: Ask, sighting: Sighting): boolean {
  const { now, token, installedSecondsAgo, address, ipv6, matching } = ask;
  const { device, firstHereAt } = sighting;
  if (device === null || (address === null && ipv6 === null) || matching.evidence === 'exact') return false;
  if (token !== null) return true;
  const longest = minutes(LONGEST.newDeviceMinutes);
  if (installedSecondsAgo !== null) return seconds(installedSecondsAgo) < longest;
  const { newSince, returnedAt } = device;
  if (since(newSince, now) < longest || (returnedAt !== null && since(returnedAt, now) < longest)) return true;
  // Of a shared fingerprint, only a phone that was never at the address before may get something.
  const isHereFirst = firstHereAt === null || since(firstHereAt, now) < seconds(LONGEST.sameStartSeconds);
  return isHereFirst && isShared(device, now, LONGEST.sharedFingerprintDays);
}

/**
 * Returns true when a crowd has more open taps than are remembered. Then a replay could only try windows of some seconds,
 * and to remember the taps would cost more than the restore.
 */
export const isBeyondMemory = ({ matching }: Ask, isCrowd: boolean): boolean =>
  isCrowd && matching.crowdTaps >= MOST_TAPS;

/** @param candidates the rows that the decision looks at, before it closes any of them */
export function factsOf(ask: Ask, sighting: Sighting, candidates: readonly PendingLink[], nearby: Nearby): Facts {
  const { now, address, ipv6, language } = ask;
  const looked = new Set(candidates);
  // A message may be redelivered much later, and taps may come between two reads: they were not there for the decision.
  const isPast = ({ tappedAt, closedBy, closedAt }: PendingLink) =>
    tappedAt <= now && (closedBy === null || closedAt === null || closedAt <= now);
  const isUnseen = (row: PendingLink) =>
    !sighting.crowd && row.closedBy === null && since(row.tappedAt, now) < minutes(longestWindow(ask));
  const asked = candidates.filter((row) => isHere(row, ask));
  const around = nearby.rows.filter((row) => looked.has(row) || !isUnseen(row));
  const all = [...new Set([...asked, ...around])].filter(isPast).sort(newestFirst);
  const listed = all.slice(0, MOST_TAPS);
  const isCut = nearby.truncated || all.length > MOST_TAPS;
  const reach = isBeyondMemory(ask, sighting.crowd)
    ? 0
    : isCut
      ? since(listed.at(-1)?.tappedAt ?? now, now)
      : spanOf(ask);
  const named = namedByToken(ask, candidates);
  const rows = named === undefined || listed.includes(named) ? listed : [...listed, named];

  const links = numbered<string>();
  const browsers = numbered<string>();
  const models = numbered<string | null>();
  models(ask.model);
  const taps = rows.map((row): TapFacts => {
    const bits =
      (row.address !== null && row.address === ipv6 ? BITS.overIpv6 : 0) |
      (isHere(row, ask) ? 0 : BITS.elsewhere) |
      (looked.has(row) ? 0 : BITS.beyond) |
      (row.language === null || language === null
        ? 0
        : row.language === language
          ? BITS.sameLanguage
          : BITS.otherLanguage) |
      (ask.build === null || row.builds === null
        ? 0
        : row.builds.includes(ask.build)
          ? BITS.sameBuild
          : BITS.otherBuild) |
      (row.archivedAt !== null ? BITS.archived : whyGone(row, now) !== null ? BITS.expired : 0);
    const tap = [
      shortId(row.id),
      links(row.linkId),
      since(row.tappedAt, now),
      row.others,
      row.othersOfPlatform,
      row.othersAlike,
      row.platform === null ? 0 : codeOf(row.platform),
      row.model === null ? null : models(row.model),
      row.osMajor,
      row.userAgent === null ? null : browsers(row.userAgent),
    ] as const;
    if (isOpen(row, now)) return [...tap, bits];
    if (row.closedBy === null) return [...tap, bits | BITS.closed];
    // A row that was closed has the time. Without it, an opening explains the tap, and its row is still open.
    if (row.closedAt === null) return [...tap, bits | BITS.opened];
    return [...tap, bits, shortId(row.closedBy)];
  });
  return {
    ...deviceFacts(ask, sighting, nearby.rollout),
    ...(ipv6 !== null && { v: ipv6 === address ? 2 : 1 }),
    ...(sighting.crowd && { c: [ask.matching.crowdTaps, longestWindow(ask)] as const }),
    ...(named !== undefined && { k: rows.indexOf(named), ...(sighting.tokenSpent && { q: 1 as const }) }),
    ...(reach !== minutes(REMEMBERED_MINUTES) && { x: reach }),
    ...(taps.length > 0 && { l: links.all().map(longId), t: taps }),
  };
}

/** Returns the tap that a valid token names, used or not. */
function namedByToken(ask: Ask, candidates: readonly PendingLink[]): PendingLink | undefined {
  const { token, now } = ask;
  if (token === null || !isFreshToken(ask)) return undefined;
  return candidates.find((row) => row.id === token.tapId && row.linkId === token.linkId && whyGone(row, now) === null);
}

function deviceFacts(ask: Ask, sighting: Sighting, rollout: Reaching | null): Facts {
  const { now, installedSecondsAgo, model, osMajor } = ask;
  const { firstHereAt, lastHeartbeatAt, others, newcomers, newDevices } = sighting;
  const { newSince, returnedAt, awayDays, sharedAt } = sighting.device!;
  const platform = namedPlatform(ask, sighting.device);
  const returned = returnedAt !== null && since(returnedAt, now) < minutes(LONGEST.newDeviceMinutes);
  return {
    ...(returned ? { r: [since(returnedAt, now), awayDays!] as const } : { n: since(newSince, now) }),
    ...(sharedAt !== null && { s: since(sharedAt, now) }),
    ...(others > 0 && { d: others }),
    ...(newcomers > 0 && { w: newcomers }),
    ...(newDevices > 0 && { e: newDevices }),
    ...(firstHereAt !== null && { f: since(firstHereAt, now) }),
    ...(lastHeartbeatAt !== null && { h: since(lastHeartbeatAt, now) }),
    ...(installedSecondsAgo !== null && { i: installedSecondsAgo }),
    ...(platform !== null && { p: codeOf(platform) }),
    ...(model !== null && { m: 1 as const }),
    ...(osMajor !== null && { o: osMajor }),
    ...(rollout !== null && { u: rollout.reason === 'young' ? ('y' as const) : ('m' as const) }),
    ...(rollout?.isFirstDay && { b: 1 as const }),
  };
}

const codeOf = (platform: Platform): PlatformCode => (platform === 'ios' ? 'i' : 'a');

/** Returns a function that numbers values in the order of their first use. */
function numbered<T>() {
  const numbers = new Map<T, number>();
  const number = (value: T): number => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, numbers.size);
    return numbers.size - 1;
  };
  number.all = () => [...numbers.keys()];
  return number;
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Returns the last 8 bytes of an id. The first ones hold its time, so they are less random. */
export const shortId = (id: string): string => bytesOf(id).toString('base64url', 8);

export const longId = (id: string): string => bytesOf(id).toString('base64url');

/** Returns the id that {@link longId} made shorter. */
export const idOf = (short: string): string =>
  Buffer.from(short, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
