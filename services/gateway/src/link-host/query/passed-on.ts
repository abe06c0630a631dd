// The parts of a tapped query that go on to the web page of the app and to Play. What the link or the page already
// names is never replaced: anybody can append a parameter to a link.

import { withoutOwn } from './own-parameters.ts';
import { nameOf, publishedQuery } from './published-query.ts';

/** The length of all parts together. A longer query goes on only as far as it is of a campaign. */
const MAX_LENGTH = 2_048;

/** A token of ours must not come from anybody else. */
const OURS = /^lf_/;

/**
 * Returns the parts, unchanged and in their order. Names are equal in any case, because some servers read them so.
 * @param tappedQuery with or without its question mark
 * @param taken names of parameters that the target has already
 */
export function passedOn(tappedQuery: string, taken: Iterable<string>): string[] {
  const query = withoutOwn(tappedQuery);
  if (query === '') return [];
  const names = new Set([...taken].map((name) => name.toLowerCase()));
  let left = MAX_LENGTH;
  return (query.length > MAX_LENGTH ? publishedQuery(query, []) : query).split('&').filter((part) => {
    const name = nameOf(part).toLowerCase();
    if (name === '' || OURS.test(name) || names.has(name) || part.length > left) return false;
    left -= part.length + 1;
    return true;
  });
}
