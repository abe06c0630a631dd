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
/** The paths of every host: an app's own files, and health checks, for which balancers ask under an address. */
const onEveryHost = new Set(['livez', 'readyz', '.well-known', 'robots.txt', 'favicon.ico']);

/** True when the first segment of a path (without its slashes) belongs to the product. The router ignores case. */
export function isReservedSegment(segment: string): boolean {
  return reserved.has(segment.toLowerCase());
}

/** True when the path is served under every name. The API serves the other paths of the product. */
export function isOnEveryHost(segment: string): boolean {
  return onEveryHost.has(segment.toLowerCase());
}
