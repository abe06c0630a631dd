// The weakest tier: a tap was made at the address where this device is now. All of its rules must hold, and each rule
// returns its refusal in words. The thresholds are settings of the app.
import {
  type Ask,
  type CandidateVerdict,
  hasHeartbeat,
  hasSeveralPhones,
  isHere,
  isOpen,
  isWithin,
  type PendingLink,
  refused,
  type Sighting,
  taken,
  whyGone,
} from '../candidate.ts';
import { isNew } from '../device.ts';
import { counted, earlierBy, lasting, minutes, people, seconds, since } from '../time.ts';
import {
  contradict,
  evidenceFor,
  installedAt,
  isBuildAmongFew,
  type Phone,
  peopleAt,
  personMinutesOf,
  phoneOf,
  possibleTaps,
  whyNotTappedBy,
  windowOf,
} from './evidence.ts';
import { whyGivenBefore } from './given-before.ts';
import { whyNotOneInstall } from './one-install.ts';
import { whyOlderUser, whyPerhapsKnown } from './unknown-install.ts';

export function byAddress(ask: Ask, rows: readonly PendingLink[], sighting: Sighting): CandidateVerdict[] {
  const { now, matching } = ask;
  if (matching.evidence === 'exact') return [];
  const asking = phoneOf(ask, sighting);
  const here = rows.filter(
    (row) => isHere(row, ask) && isOpen(row, now) && isWithin(row, now, windowOf(row, ask, asking)),
  );
  // Links that the device got before still count here: they may also belong to another person.
  const { possible, rivals } = possibleTaps(here, ask, asking, sighting);
  const refusal =
    whyNotThisDevice(ask, sighting, possible, asking) ??
    whyNotOneInstall(ask, sighting) ??
    (sighting.crowd || here.length > matching.crowdTaps ? crowdAt(matching.crowdTaps) : null) ??
    whyUnclear(rivals, possible) ??
    whyTooLate(possible[0], ask, asking, sighting) ??
    whyPerhapsKnown(possible[0], ask, sighting, asking) ??
    whyOlderUser(possible, ask, sighting);

  return here.map((row) => {
    const gone = whyGone(row, now);
    if (gone !== null) return refused(row, 'address', gone);
    const contradicts = whyNotTappedBy(row, ask, asking, sighting);
    if (contradicts !== null) return refused(row, 'address', contradicts);
    const given = whyGivenBefore(row, ask, sighting);
    if (given !== null) return refused(row, 'address', given);
    if (refusal !== null) return refused(row, 'address', refusal);
    if (row !== possible[0])
      return refused(
        row,
        'address',
        'tapped again at this address later, on the same link or in the same browser, and only the newest tap counts',
      );
    const there = `tapped ${earlierBy(row.tappedAt, now)} at this address, ${people(peopleAt(row, asking))} there`;
    return taken(row, 'address', `${there}${evidenceFor(row, ask, asking)}`);
  });
}

export const crowdAt = (crowdTaps: number): string =>
  `more than ${counted(crowdTaps, 'tap')} at this address wait for an install, so nobody can tell whose is whose`;

/**
 * Returns the reason why the device may not be new to the app. If the client sends when the app was installed, this
 * time decides. Otherwise the device must have been first seen a short time ago. When several phones share a
 * fingerprint, that time says nothing, so more conditions apply.
 */
function whyNotThisDevice(ask: Ask, sighting: Sighting, rows: readonly PendingLink[], asking: Phone): string | null {
  const { now, matching } = ask;
  const { device, firstHereAt, others } = sighting;
  if (device === null)
    return 'the app sent neither the fingerprint of its device nor an email, so nobody can tell the devices at this address apart';
  const installed = installedAt(ask);
  if (installed !== null) {
    const isFresh = since(installed, now) < minutes(matching.newDeviceMinutes);
    return isFresh
      ? null
      : `the app was installed ${earlierBy(installed, now)}: by address it must be less than ${lasting(minutes(matching.newDeviceMinutes))} earlier`;
  }
  if (!hasSeveralPhones(ask, device)) {
    return isNew(device, now, matching.newDeviceMinutes)
      ? null
      : `the device is not new: the app was first started on it ${earlierBy(device.newSince, now)}, and by address it must be less than ${lasting(minutes(matching.newDeviceMinutes))} earlier`;
  }
  const several = 'several phones look the same to Landfall';
  if (firstHereAt !== null && since(firstHereAt, now) >= seconds(matching.sameStartSeconds)) {
    return `${several}, and the app was started on one of them at this address ${earlierBy(firstHereAt, now)}: this may be that phone again, without an install. A fingerprint of its own for each phone ends this check`;
  }
  if (!hasHeartbeat(ask, sighting))
    return `${several}, and the app sent no heartbeat with this start: it must, so that one of them is known to be here`;
  // The browser that tapped belongs to the caller. Its tap counted it at this address.
  const there = others - Math.min(rows.length, 1);
  if (there > matching.sharedFingerprintPeople && !isBuildAmongFew(rows[0], asking, sighting)) {
    return `${several}: then at most ${people(matching.sharedFingerprintPeople)} may have been at this address in the last 24 hours besides it, and there were ${there}`;
  }
  return null;
}

/** The taps must be for one link or from one browser. All in the window count: an old one may be the caller's. */
function whyUnclear(rivals: readonly PendingLink[], [newest]: readonly PendingLink[]): string | null {
  const links = new Set(rivals.map((row) => row.linkId)).size;
  if (links <= 1) return null;
  // Browsers hide the model behind one user agent. Two taps with two models come from two phones.
  const isOne = (a: PendingLink, b: PendingLink) =>
    a.userAgent !== null && a.userAgent === b.userAgent && !contradict(a, b);
  const oneBrowser = rivals.every((a) => rivals.every((b) => isOne(a, b)));
  return oneBrowser && rivals[0] === newest
    ? null
    : `${links} different links were tapped at this network address, so nobody can tell which one is meant`;
}

/** The people at the address share `personMinutes`. Over IPv6 they share more: fewer people have one address. */
function whyTooLate(newest: PendingLink | undefined, ask: Ask, asking: Phone, sighting: Sighting): string | null {
  if (newest === undefined || isBuildAmongFew(newest, asking, sighting)) return null;
  const there = peopleAt(newest, asking);
  const most = minutes(personMinutesOf(newest, ask) / there);
  if (since(newest.tappedAt, ask.now) < most) return null;
  return `tapped ${earlierBy(newest.tappedAt, ask.now)}: with ${people(there)} at this address, the tap must be less than ${lasting(most)} old`;
}
