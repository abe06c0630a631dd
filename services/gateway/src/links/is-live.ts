import type { Link } from '@landfall/contracts';

/** True when the link is neither archived nor expired. */
export function isLive(link: Link, now: Date): boolean {
  return link.archivedAt === null && (link.expiresAt === null || Date.parse(link.expiresAt) > now.getTime());
}
