// Nobody is given one link twice: not by another tap of before they got it. A tap after that is another wish.
import type { Ask, Given, PendingLink, Sighting } from './candidate.ts';
import { isShared } from './device.ts';
import { ago } from './time.ts';

/** For the address: whatever tier gave it. Phones that share a fingerprint are told apart by where they are. */
export function whyGivenBefore(row: PendingLink, ask: Ask, sighting: Sighting): string | null {
  const shared = hasSharedFingerprint(ask, sighting);
  return whyOf(
    row,
    ask,
    sighting.given.filter((given) => !shared || given.address === ask.address),
  );
}

/**
 * For the token: what was a guess by address, and was right. Where several phones have the fingerprint, a signed token says
 * more about whose tap it is.
 */
export function whyGuessedBefore(row: PendingLink, ask: Ask, sighting: Sighting): string | null {
  if (hasSharedFingerprint(ask, sighting)) return null;
  return whyOf(
    row,
    ask,
    sighting.given.filter((given) => given.matchType === 'address'),
  );
}

const hasSharedFingerprint = ({ now, matching }: Ask, { device }: Sighting): boolean =>
  device !== null && isShared(device, now, matching.sharedFingerprintDays);

function whyOf({ linkId, tappedAt }: PendingLink, { now }: Ask, given: readonly Given[]): string | null {
  const before = given.find((one) => one.linkId === linkId && tappedAt <= one.at);
  return before === undefined ? null : `this device was given this link ${ago(before.at, now)}`;
}
