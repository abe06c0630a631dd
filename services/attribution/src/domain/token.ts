// The content of a token from the store's install referrer: the tap that it names. The gateway checked its signature.
import type { Ask, NewPendingLink } from './candidate.ts';
import { days, since } from './time.ts';

export const isFreshToken = ({ token, now, matching }: Ask): boolean =>
  token !== null && since(new Date(token.tappedAt), now) < days(matching.tokenDays);

/** The tap itself as far as the token says, for when it is not stored yet: then it is claimed like any other. */
export function tapsOf(asks: readonly Ask[]): NewPendingLink[] {
  return asks.filter(isFreshToken).flatMap(({ appId, token }) => {
    if (token === null) return [];
    const unknown = {
      originalUrl: null,
      sealedUrl: null,
      platform: null,
      address: null,
      userAgent: null,
      email: null,
      fingerprint: null,
    };
    const { tapId: id, linkId, tappedAt } = token;
    return [{ ...unknown, id, appId, linkId, kind: 'tap', tappedAt: new Date(tappedAt) }];
  });
}
