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

/** Whether the first segment of a path (without its slashes) is the product's own. Case does not matter to the router. */
export function isReservedSegment(segment: string): boolean {
  return reserved.has(segment.toLowerCase());
}
