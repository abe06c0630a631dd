import { FindLinks, type Link, MAX_FOUND_LINKS } from '@landfall/contracts';
import type { ConsoleParts } from '../parts.ts';

/** Returns the links of an app by their ids, as they are now. Ids that the app does not have are left out. */
export async function linksById(
  appId: string,
  ids: readonly string[],
  { forward }: Pick<ConsoleParts, 'forward'>,
): Promise<Map<string, Link>> {
  const found = new Map<string, Link>();
  let left = [...new Set(ids)];
  while (left.length > 0) {
    const { links, rest } = await forward(FindLinks, { appId, linkIds: left.slice(0, MAX_FOUND_LINKS) });
    for (const link of links) found.set(link.id, link);
    left = [...rest, ...left.slice(MAX_FOUND_LINKS)];
  }
  return found;
}
