// What every reader of a link needs.
import type { Link } from '@landfall/contracts';

/** True when the link is neither archived nor expired. */
export const isLive = ({ archivedAt, expiresAt }: Link, now: Date): boolean =>
  archivedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime());

/** Splits a destination. Its query and its fragment are without their first character. */
export function splitDestination(destination: string): { path: string; query: string; fragment: string } {
  const [beforeFragment, fragment] = cut(destination, '#');
  const [path, query] = cut(beforeFragment, '?');
  return { path, query, fragment };
}

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
