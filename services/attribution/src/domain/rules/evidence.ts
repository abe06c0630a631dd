// Compares what is known of the phone that tapped with what is known of the phone that asks. Unknown facts contradict
// nothing. On iPhones only the platform counts: Apple forbids to identify a device by its other properties.
import type { Platform } from '@landfall/contracts';
import { type Ask, hasSeveralPhones, type PendingLink, type Sighting, whyGone } from '../candidate.ts';
import type { Device } from '../device.ts';
import { before, earlierBy, minutes, seconds } from '../time.ts';

export type Phone = Pick<PendingLink, 'platform' | 'model' | 'osMajor' | 'builds'>;

/**
 * Returns what is known of the phone that asks. Several phones with one fingerprint are Android phones: the public client
 * makes theirs of the model and the build, and an iPhone has one of its own.
 */
export function phoneOf(ask: Ask, { device }: Sighting): Phone {
  const { model, osMajor, build } = ask;
  const platform = namedPlatform(ask, device) ?? (hasSeveralPhones(ask, device) ? 'android' : null);
  return { platform, model, osMajor, builds: build === null ? null : [build] };
}

/** Returns the platform that the client named, with this request or with a heartbeat. */
export const namedPlatform = ({ platform }: Pick<Ask, 'platform'>, device: Device | null): Platform | null =>
  platform ?? device?.platform ?? null;

const isIphone = (a: Phone, b: Phone): boolean => a.platform === 'ios' || b.platform === 'ios';

export const isSameModel = (a: Phone, b: Phone): boolean =>
  a.model !== null && a.model === b.model && !isIphone(a, b) && !differ(a.osMajor, b.osMajor);

/** Returns true when both phones are known to have one model, and one build of Android on it. */
export const isSameBuild = ({ builds }: Phone, other: Phone): boolean =>
  builds?.some((build) => other.builds?.includes(build)) ?? false;

const isAlike = (a: Phone, b: Phone): boolean => isSameModel(a, b) || isSameBuild(a, b);

const isOtherBuild = (a: Phone, b: Phone): boolean => a.builds !== null && b.builds !== null && !isSameBuild(a, b);

const NAMES = { ios: 'an iPhone', android: 'an Android phone' } as const satisfies Record<Platform, string>;

export const whyOtherPhone = (tap: Phone, asking: Phone): string | null =>
  differ(tap.platform, asking.platform)
    ? `tapped on ${NAMES[tap.platform!]}, and the app was started on ${NAMES[asking.platform!]}`
    : isOtherBuild(tap, asking)
      ? 'tapped on another model of phone, or another build of Android'
      : whyOtherModel(tap, asking);

function whyOtherModel(tap: Phone, asking: Phone): string | null {
  if (isIphone(tap, asking)) return null;
  if (differ(tap.model, asking.model)) return 'tapped on another model of phone';
  if (differ(tap.osMajor, asking.osMajor)) {
    return `tapped on Android ${tap.osMajor}, and the app was started on Android ${asking.osMajor}`;
  }
  return null;
}

/** Returns true when one phone cannot have made both taps. */
export const contradict = (a: Phone, b: Phone): boolean => whyOtherPhone(a, b) !== null;

const differ = (a: unknown, b: unknown): boolean => a !== null && b !== null && a !== b;

/** Among more people, two of them may have phones of one model and build. */
const BUILD_PEOPLE = 20;

/**
 * Returns true when the phone that tapped has the fingerprint of the caller, and few others were at the address. Then it
 * matters less how old the tap is. The browser that tapped belongs to the caller, so it is no other.
 */
export const isBuildAmongFew = (tap: PendingLink | undefined, asking: Phone, { others }: Sighting): boolean =>
  tap !== undefined && isSameBuild(tap, asking) && Math.max(others - 1, tap.others) <= BUILD_PEOPLE;

/**
 * Returns the number of people among whom the tap was made, at least 1. People whose phone contradicts the tap do not
 * count, as long as the phone that asks is known as well: of a phone without a platform, every platform may be true.
 */
export function peopleAt(row: PendingLink, asking: Phone): number {
  const knowsModel = asking.model !== null && row.model !== null && !isIphone(row, asking);
  const counted = knowsModel ? row.othersAlike : asking.platform !== null ? row.othersOfPlatform : null;
  return Math.max(1, counted ?? row.others);
}

export const installedAt = ({ now, installedSecondsAgo }: Pick<Ask, 'now' | 'installedSecondsAgo'>): Date | null =>
  installedSecondsAgo === null ? null : before(now, seconds(installedSecondsAgo));

type Windowed = Pick<Ask, 'matching' | 'installedSecondsAgo'>;

const windowMinutesOf = ({ matching, installedSecondsAgo }: Windowed): number =>
  installedSecondsAgo === null
    ? matching.windowMinutes
    : Math.min(matching.windowMinutes, matching.installedWindowMinutes);

/** Returns the milliseconds for which a tap can match by address. A longer window needs more evidence. */
export function windowOf(row: PendingLink, ask: Ask, asking: Phone): number {
  const { matching, ipv6 } = ask;
  const { windowMinutes, modelWindowMinutes, ipv6WindowMinutes } = matching;
  if (windowMinutes === 0) return 0;
  return minutes(
    Math.max(
      windowMinutesOf(ask),
      isSameModel(row, asking) ? modelWindowMinutes : 0,
      isOverIpv6(row, ipv6) ? ipv6WindowMinutes : 0,
    ),
  );
}

/** Returns the longest window of a request, in minutes. Candidates are read as far back. */
export function longestWindow(ask: Windowed & Pick<Ask, 'model' | 'ipv6'>): number {
  const { matching, model, ipv6 } = ask;
  if (matching.windowMinutes === 0 || matching.evidence === 'exact') return 0;
  return Math.max(
    windowMinutesOf(ask),
    model === null ? 0 : matching.modelWindowMinutes,
    ipv6 === null ? 0 : matching.ipv6WindowMinutes,
  );
}

/** The minutes that the people at the address share. */
export function personMinutesOf(row: PendingLink, { matching, ipv6, installedSecondsAgo }: Ask): number {
  const { personMinutes, installedPersonMinutes, ipv6PersonMinutes } = matching;
  const usual = installedSecondsAgo === null ? personMinutes : Math.min(personMinutes, installedPersonMinutes);
  return isOverIpv6(row, ipv6) ? Math.max(usual, ipv6PersonMinutes) : usual;
}

const isOverIpv6 = ({ address }: PendingLink, ipv6: string | null): boolean => ipv6 !== null && address === ipv6;

/** Names the evidence for a link that is given, e.g. `, the same model, installed 2 minutes earlier`. */
export function evidenceFor(row: PendingLink, ask: Ask, asking: Phone): string {
  const installed = installedAt(ask);
  const named = [
    isOverIpv6(row, ask.ipv6) && 'over IPv6',
    isAlike(row, asking)
      ? 'the same model of phone'
      : row.platform !== null && row.platform === asking.platform && 'the same platform',
    installed !== null && `installed ${earlierBy(installed, ask.now)}`,
  ].filter((one) => one !== false);
  return named.map((one) => `, ${one}`).join('');
}

/**
 * Returns the taps that may be the caller's, newest first: the link is live, and no fact contradicts. Together with them
 * come those that another model made, unless the newest possible tap was made on the model of the caller. They may still
 * make it unclear which tap is the right one. Otherwise a client could leave out the taps of others with a model that
 * nobody has.
 */
export function possibleTaps(rows: readonly PendingLink[], ask: Ask, asking: Phone, sighting: Sighting) {
  const live = rows.filter((row) => whyGone(row, ask.now) === null);
  const possible = live.filter((row) => whyNotTappedBy(row, ask, asking, sighting) === null);
  const [newest] = possible;
  const isSure = newest !== undefined && isAlike(newest, asking);
  const anyModel = { ...asking, model: null, osMajor: null, builds: null };
  const rivals = isSure ? possible : live.filter((row) => whyNotTappedBy(row, ask, anyModel, sighting) === null);
  return { possible, rivals };
}

export function whyNotTappedBy(row: PendingLink, ask: Ask, asking: Phone, sighting: Sighting): string | null {
  const installed = installedAt(ask);
  return (
    whyOtherPhone(row, asking) ??
    (installed !== null && row.tappedAt >= installed ? 'tapped when the app was installed already' : null) ??
    (isTappedSinceHere(row, ask, sighting)
      ? 'tapped after the app was started on this device at this address, so the tap did not lead to the install'
      : null)
  );
}

/**
 * Returns true for a tap that was made when the device was at the address already. So the app was not installed after it,
 * whatever the client tells. Several phones with one fingerprint have several installs.
 */
const isTappedSinceHere = ({ tappedAt }: PendingLink, ask: Ask, { device, firstHereAt }: Sighting): boolean =>
  installedAt(ask) !== null && !hasSeveralPhones(ask, device) && firstHereAt !== null && tappedAt >= firstHereAt;
