// The parameters of our own in a tapped query. They belong to no link, so they are neither stored nor sent on.
import { CLIP_PARAMETER } from '../../links/tap-tokens.ts';
import { TOUCH_PARAMETER } from '../../visitor/visitor.ts';
import { isAnsweredMark } from '../ask-to-explain.ts';
import { isOfExit } from '../exits/exits.ts';
import { isVia } from '../tap-facts.ts';

/** Removes our own parameters from a tapped query. A click is stored with the result. */
export function withoutOwn(tappedQuery: string): string {
  const query = tappedQuery.replace(/^\?/, '');
  if (!query.includes('lf_') && !query.includes('qr') && !query.includes('openExternalBrowser')) return query;
  return query
    .split('&')
    .filter((part) => !isOwn(part))
    .join('&');
}

const isOwn = (part: string): boolean =>
  part.startsWith(`${TOUCH_PARAMETER}=`) ||
  isVia(part) ||
  isOfExit(part) ||
  isAnsweredMark(part) ||
  part.startsWith(`${CLIP_PARAMETER}=`);
