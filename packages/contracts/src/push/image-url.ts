// The address of an image that both providers accept.

/** The limit, in characters. */
const LENGTH = 2_048;

/** Characters that RFC 3986 allows only in encoded form, and that the URL parser of browsers leaves. */
const UNENCODED = /[[\]{}|^`\\]/g;
const encoded = (text: string): string => text.replace(UNENCODED, encodeURIComponent);

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])$/;
const PATH = /^(?:\/[\w\-.~!$'()*+,;=:@%]+)*\/?$/;
const REST = /^[\w\-.~!$&'()*+,;=:@%/?#]*$/;

/** Throws an Error with the fault. Firebase refuses some valid addresses, so this does, before anything is sent. */
export function imageUrlOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.protocol !== 'https:' || url.username || url.password) throw new Error('must be an https URL');
  if (!HOST.test(url.hostname)) throw new Error('must have a host that Firebase accepts, e.g. cdn.example.com');
  if (!PATH.test(encoded(url.pathname)))
    throw new Error('must have a path that Firebase accepts: without // and &. Write %26 for &');
  const rest = encoded(url.href.slice(url.origin.length));
  if (!REST.test(rest)) throw new Error('must have a query that Firebase accepts');
  const all = `${url.origin}${rest}`;
  if (all.length > LENGTH) throw new Error(`must have at most ${LENGTH} characters, with letters and signs encoded`);
  return all;
}
