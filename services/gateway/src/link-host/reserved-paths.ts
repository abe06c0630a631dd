// First path segments that are never a slug, on every host: the product's own routes come before the first link.

export const RESERVED_SEGMENTS = [
  'api',
  'docs',
  'openapi.json',
  'livez',
  'readyz',
  'metrics',
  '.well-known',
  'robots.txt',
  'favicon.ico',
] as const;

const reserved = new Set<string>(RESERVED_SEGMENTS);
/** What every host has: an app's own files, and health, for which balancers ask under an address. */
const onEveryHost = new Set(['livez', 'readyz', '.well-known', 'robots.txt', 'favicon.ico']);

/** Whether the first segment of a path (without its slashes) is the product's own. Case does not matter to the router. */
export function isReservedSegment(segment: string): boolean {
  return reserved.has(segment.toLowerCase());
}

/** Whether it is served under every name. The rest of the product's own paths are the API's. */
export function isOnEveryHost(segment: string): boolean {
  return onEveryHost.has(segment.toLowerCase());
}
