// Reserves the first path segments that are never a slug, on every host. Routes of the product take precedence over
// links.

export const RESERVED_SEGMENTS = [
  'api',
  'docs',
  'openapi.json',
  'asyncapi.json',
  'llms.txt',
  'mcp',
  'livez',
  'readyz',
  'metrics',
  '.well-known',
  'robots.txt',
  'favicon.ico',
  'logos',
  'simulated-app',
  // For pages that the product may get. They are taken before anybody can have them as a slug.
  'share',
  'embed',
  's',
  'app',
  'apps',
  'open',
  'start',
  'setup',
  'try',
  'login',
  'qr',
  'health',
  'admin',
  'static',
  'assets',
  'events',
] as const;

const reserved = new Set<string>(RESERVED_SEGMENTS);
/** Paths on every host: the files of an app, and health checks, which load balancers send to an address. */
const onEveryHost = new Set(['livez', 'readyz', '.well-known', 'robots.txt', 'favicon.ico', 'logos']);

/** True for the first segment of a path of the product. It ignores case, as the router does. */
export function isReservedSegment(segment: string): boolean {
  return reserved.has(segment.toLowerCase());
}

/** Checks whether the segment is served under every host name. Other reserved segments are served by the API only. */
export function isOnEveryHost(segment: string): boolean {
  return onEveryHost.has(segment.toLowerCase());
}
