// URLs, taken apart by hand: `URL` and `URLSearchParams` are incomplete in many versions of React Native.

/** Returns the host without its port, and the path. Null if it is no URL of the web. */
export function partsOf(url: unknown): { readonly host: string; readonly path: string } | null {
  const found = typeof url === 'string' ? /^https?:\/\/([^/?#\\]*)([^?#]*)/i.exec(url) : null;
  if (!found) return null;
  const [, authority = '', path = ''] = found;
  return { host: hostOf(authority.replace(/^.*@/, '')), path };
}

/** Returns a host in lower case, without what people write around it: `https://Shop.example:443/` → `shop.example`. */
export const hostOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[:/].*$/, '');

/** Returns the path without the slashes at its ends, and decoded. Empty for the path `/`. */
export const slugOf = (path: string): string => decoded(path.replace(/^\/+|\/+$/g, ''));

/** Returns the parameters of a query. Of two with one name, the later one. */
export function queryOf(url: unknown): Record<string, string> {
  const parameters: Record<string, string> = {};
  const query = typeof url === 'string' ? /\?([^#]*)/.exec(url)?.[1] : undefined;
  for (const pair of (query ?? '').split('&')) {
    const [name = '', ...value] = pair.replace(/\+/g, ' ').split('=');
    if (pair !== '') parameters[decoded(name)] = decoded(value.join('='));
  }
  return parameters;
}

/** Returns `?a=1&b=2`. */
export const searchOf = (query: Readonly<Record<string, string>>): string =>
  `?${Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
