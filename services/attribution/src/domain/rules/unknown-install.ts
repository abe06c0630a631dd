// More conditions for a device that does not say when its app was installed. It looks new when an update with the client
// reaches its user, when it was away for long, and when other phones have its fingerprint.
import { type Ask, hasSeveralPhones, type PendingLink, type Sighting } from '../candidate.ts';
import { isReturning } from '../device.ts';
import { counted, earlierBy, lasting, minutes, since } from '../time.ts';
import { isBuildAmongFew, type Phone } from './evidence.ts';

/** Minutes for which a tap counts while an update may be reaching older users, and on the first day of it. */
const ROLLOUT_TAP_MINUTES = 5;
const FIRST_DAY_TAP_MINUTES = 2;

/** Returns the reason why a user who had the app before may ask, or another phone than the one that tapped. */
export function whyPerhapsKnown(
  newest: PendingLink | undefined,
  ask: Ask,
  sighting: Sighting,
  asking: Phone,
): string | null {
  const { device } = sighting;
  if (newest === undefined || device === null || ask.installedSecondsAgo !== null) return null;
  if (isBuildAmongFew(newest, asking, sighting)) return null;
  if (hasSeveralPhones(ask, device)) return whyTooLateAmongNewcomers(newest, ask, sighting);
  return isReturning(device)
    ? (whyTooManyForReturn(ask, sighting) ?? whyTooLateAmongNewcomers(newest, ask, sighting))
    : whyOtherPlatform(newest, ask, sighting, asking);
}

/**
 * Nobody can tell a new user from one who comes to this address for the first time. The more people come here who were
 * never here, the fresher the tap must be. A home has one, a mobile address ten, and the first week of an app many.
 */
function whyTooLateAmongNewcomers({ tappedAt }: PendingLink, { now, matching }: Ask, { newcomers }: Sighting) {
  const n = Math.max(1, newcomers);
  const most = minutes(matching.newcomerMinutes / n);
  if (since(tappedAt, now) < most) return null;
  return `tapped ${earlierBy(tappedAt, now)}: ${counted(n, 'device')} came to this address for the first time in the last 7 days, so the tap must be less than ${lasting(most)} old`;
}

/** The browser that tapped belongs to the caller, so it is no other. */
function whyTooManyForReturn({ now, matching }: Ask, { device, others }: Sighting): string | null {
  const most = matching.sharedFingerprintPeople;
  if (others - 1 <= most) return null;
  return `the app was started again on this device ${earlierBy(device!.newSince, now)}, after at least ${counted(matching.returningDeviceDays, 'day')}: this may be no install but a user who came back, so at most ${counted(most, 'other')} may have been at this address in the last 24 hours, and there were ${others - 1}`;
}

/** A fingerprint that nobody shares is mostly an iPhone's. So a tap on Android must be fresh, and hardly anybody there. */
function whyOtherPlatform({ platform, tappedAt }: PendingLink, ask: Ask, { others }: Sighting, asking: Phone) {
  const { now, matching } = ask;
  const { otherPlatformMinutes: most, otherPlatformPeople: mostPeople } = matching;
  if (asking.platform !== null || platform !== 'android') return null;
  const why = `tapped on Android ${earlierBy(tappedAt, now)}, and the app does not send its platform, Android or iPhone`;
  if (since(tappedAt, now) >= minutes(most))
    return `${why}: so the tap must be less than ${counted(most, 'minute')} old`;
  if (others - 1 <= mostPeople) return null;
  return `${why}: so at most ${counted(mostPeople, 'other')} may be at this address, and there were ${others - 1}`;
}

/**
 * The phone of an older user looks new when the update with the client reaches it. While this is possible, the tap must
 * be fresh, and before it only the browsers that tapped may have been seen at the address. On the first day nobody was
 * seen anywhere yet, so this says less, and the tap must be fresher.
 */
export function whyOlderUser(rows: readonly PendingLink[], ask: Ask, { rollout }: Sighting): string | null {
  const [newest] = rows;
  if (newest === undefined || rollout === null || ask.installedSecondsAgo !== null) return null;
  // People use several browsers: they tap one link in the browser of an app, and again in the browser of the phone.
  const otherBrowsers = new Set(rows.map((row) => row.userAgent)).size - 1;
  const most = rollout.isFirstDay ? FIRST_DAY_TAP_MINUTES : ROLLOUT_TAP_MINUTES;
  const isFresh = since(newest.tappedAt, ask.now) < minutes(most);
  if (isFresh && newest.others <= otherBrowsers) return null;
  const why =
    rollout.reason === 'young' ? 'the app is new to Landfall' : 'an update may just bring Landfall to its users';
  const others = Math.max(0, newest.others - otherBrowsers);
  return `tapped ${earlierBy(newest.tappedAt, ask.now)}, with ${counted(others, 'other')} at this address: ${why}, so this may be an older user, and the tap must be less than ${most} minutes old, with nobody else there. Send installedSecondsAgo to end this check, or set matching.existingUsers to false if nobody had the app before`;
}
