// `?d=1` on a link opens its explanation for members who are signed in. Links of Firebase did the same.
import type { VisitorHeaders } from '../visitor/visitor.ts';
import { isShown } from '../visitor/visitor.ts';

const ASKED = 'd=1';
/** With this parameter `d=1` is a parameter of the app: its person is no member, and the tap goes on. */
const ANSWERED = 'lf_d=0';

/**
 * True when a person asks for the explanation. `d=1` may be a parameter of the app, so bots and pages that load the
 * link get what they always get.
 * @param tappedQuery with or without its question mark
 */
export function asksToExplain(tappedQuery: string, headers: VisitorHeaders, kind: string): boolean {
  if (!tappedQuery.includes(ASKED) || kind === 'bot' || kind === 'prefetch') return false;
  const parts = tappedQuery.replace(/^\?/, '').split('&');
  return parts.includes(ASKED) && !parts.includes(ANSWERED) && isShown(headers);
}

/** Returns the link for a person who is no member. */
export function asTapped(url: URL): string {
  const parts = url.search.replace(/^\?/, '').split('&');
  return `${url.origin}${url.pathname}?${[...parts.filter((part) => part !== ''), ANSWERED].join('&')}`;
}

/** True for the parameter that belongs to no link. */
export const isAnsweredMark = (part: string): boolean => part === ANSWERED;
