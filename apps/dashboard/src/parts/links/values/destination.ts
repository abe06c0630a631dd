// Reads what a person pastes as the destination of a link: a path of the app, or the address of a web page.

export interface Places {
  /** The web page of the app, or null. */
  webFallbackUrl: string | null;
  /** The hosts of the app's links, with ports. */
  hosts: readonly string[];
}

export type DestinationFault = 'missing' | 'noPath' | 'notWeb' | 'ownLink' | 'notHttps' | 'urlTooLong';

/** `webUrl`: the page that opens instead of the app's own one. Null: that of the app, with the path. */
export type ReadDestination = { destination: string; webUrl: string | null } | { fault: DestinationFault };

/** A host without a scheme, as people copy it: `shop.example.com/sale`. */
const BARE_HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?=[/?#]|$)/i;
const MAX_URL = 2_048;

export function readDestination(given: string, places: Places): ReadDestination {
  const text = given.trim();
  if (text === '') return { fault: 'missing' };
  if (text.startsWith('/')) return { destination: text, webUrl: null };
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !BARE_HOST.test(text)) {
    const url = URL.parse(text);
    return url && /^https?:$/.test(url.protocol) ? ofPage(url, text, places) : { fault: 'notWeb' };
  }
  const url = BARE_HOST.test(text) ? URL.parse(`https://${text}`) : null;
  return url ? ofPage(url, `https://${text}`, places) : { fault: 'noPath' };
}

function ofPage(url: URL, text: string, { webFallbackUrl, hosts }: Places): ReadDestination {
  if (hosts.includes(url.host)) return { fault: 'ownLink' };
  const fallback = webFallbackUrl === null ? null : URL.parse(webFallbackUrl);
  const below = fallback?.host === url.host ? pathBelow(url, fallback) : null;
  if (below !== null) return { destination: below, webUrl: null };
  if (url.protocol !== 'https:') return { fault: 'notHttps' };
  if (text.length > MAX_URL) return { fault: 'urlTooLong' };
  // The app gets the path all the same. What the page gets is whole.
  return { destination: pathOf(url), webUrl: url.href };
}

/** The beginning of a fragment in which a page keeps its path, as the link host knows it. */
const ROUTE = /^#!?(?=\/)/;

/** Returns the destination with which the web page of the app is this one, or null. */
function pathBelow(url: URL, fallback: URL): string | null {
  const route = ROUTE.exec(fallback.hash)?.[0];
  const base = fallback.pathname.replace(/\/$/, '');
  if (route !== undefined) {
    const isPage = url.pathname === fallback.pathname && url.hash.startsWith(`${route}/`);
    return isPage ? url.hash.slice(route.length) : null;
  }
  if (url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return null;
  return (url.pathname.slice(base.length) || '/') + url.search + url.hash;
}

/** A path that begins with two slashes would lead to another host. */
const pathOf = ({ pathname, search, hash }: URL): string => pathname.replace(/^\/+/, '/') + search + hash;
