// The content of a token from the store's install referrer: the tap that it names. The gateway checked its signature.
import type { Ask, NewPendingLink } from './candidate.ts';
import { days, since } from './time.ts';

export const isFreshToken = ({ token, now, matching }: Ask): boolean =>
  token !== null && since(new Date(token.tappedAt), now) < days(matching.tokenDays);

/**
 * Returns the taps that the tokens describe, for the case that a tap is not stored yet. Such a tap is then claimed like
 * any other.
 */
export function tapsOf(asks: readonly Ask[]): NewPendingLink[] {
  return asks.filter(isFreshToken).flatMap(({ appId, token }) => {
    if (token === null) return [];
    const unknown = {
      originalUrl: null,
      sealedUrl: null,
      platform: null,
      model: null,
      osMajor: null,
      builds: null,
      language: null,
      address: null,
      userAgent: null,
      email: null,
      fingerprint: null,
    };
    const { tapId: id, linkId, tappedAt } = token;
    return [{ ...unknown, id, appId, linkId, kind: 'tap', tappedAt: new Date(tappedAt) }];
  });
}
