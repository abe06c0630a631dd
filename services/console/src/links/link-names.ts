import { linkNameOf } from '@landfall/api-client/link-name';
import type { Link } from '@landfall/contracts';
import type { Lookups } from '../lookups/lookups.ts';

interface OfLink {
  linkId: string | null;
}

/** Returns the links with these ids, each once. A link that cannot be read is left out. */
export async function linksOf(ids: readonly string[], { link }: Pick<Lookups, 'link'>): Promise<Link[]> {
  const links = await Promise.all([...new Set(ids)].map((id) => link(id).catch(() => null)));
  return links.filter((link) => link !== null);
}

/** Returns the names of links by their ids. A link that cannot be read is left out. */
export async function namesOfLinks(
  things: readonly OfLink[],
  lookups: Pick<Lookups, 'link'>,
): Promise<ReadonlyMap<string, string>> {
  const ids = things.flatMap(({ linkId }) => linkId ?? []);
  return new Map((await linksOf(ids, lookups)).map((link) => [link.id, linkNameOf(link)]));
}

/** Adds these names. Null: there is no link, or it cannot be read. */
export async function withLinkNames<T extends OfLink>(things: readonly T[], lookups: Pick<Lookups, 'link'>) {
  const names = await namesOfLinks(things, lookups);
  return things.map((thing) => ({ ...thing, linkName: names.get(thing.linkId ?? '') ?? null }));
}
