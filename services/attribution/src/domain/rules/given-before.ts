// A device does not get the same link twice: a tap from before it got the link gives it nothing more. A later tap is a
// new request.
import { type Ask, type Given, hasSeveralPhones, type PendingLink, type Sighting } from '../candidate.ts';
import { ago } from '../time.ts';

/**
 * Returns the reason for a match by address. Links of every tier count. Phones that share a fingerprint are told apart
 * by their address.
 */
export function whyGivenBefore(row: PendingLink, ask: Ask, sighting: Sighting): string | null {
  const shared = hasSeveralPhones(ask, sighting.device);
  return whyOf(row, ask, sighting, ({ address }) => !shared || address === ask.address);
}

/**
 * Returns the reason for a match by token. Only links that were correctly guessed by address count. When several phones
 * share the fingerprint, a signed token says more about the owner of the tap.
 */
export function whyGuessedBefore(row: PendingLink, ask: Ask, sighting: Sighting): string | null {
  if (hasSeveralPhones(ask, sighting.device)) return null;
  return whyOf(row, ask, sighting, ({ matchType }) => matchType === 'address');
}

function whyOf(
  { linkId, tappedAt }: PendingLink,
  { now }: Ask,
  { given }: Sighting,
  counts: (given: Given) => boolean,
): string | null {
  const before = given.find((one) => counts(one) && one.linkId === linkId && tappedAt <= one.at);
  return before === undefined ? null : `this device was given this link ${ago(before.at, now)}`;
}
