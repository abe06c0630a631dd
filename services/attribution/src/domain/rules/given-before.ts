// A tap from before the device got the link gives it nothing more. A later tap is a new request.
import { type Ask, type Given, hasSeveralPhones, type PendingLink, type Sighting } from '../candidate.ts';
import { earlierBy } from '../time.ts';

/** For a match by address, links of every tier count. The address tells phones with one fingerprint apart. */
export function whyGivenBefore(row: PendingLink, ask: Ask, sighting: Sighting): string | null {
  const shared = hasSeveralPhones(ask, sighting.device);
  return whyOf(row, ask, sighting, ({ address }) => !shared || address === ask.address);
}

/**
 * For a match by token, only links that were guessed by address count. When several phones share the fingerprint, the
 * signed token says more about the owner of the tap.
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
  return before === undefined ? null : `this device was given this link ${earlierBy(before.at, now)}`;
}
