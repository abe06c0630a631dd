import { linkNameOf } from '@landfall/api-client/link-name';
import type { Lookups } from '../lookups/lookups.ts';

interface OfLink {
  linkId: string | null;
}

/** Returns what people call links, by their ids. A link that cannot be read is left out. */
export async function namesOfLinks(
  things: readonly OfLink[],
  { link }: Pick<Lookups, 'link'>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(things.flatMap(({ linkId }) => linkId ?? []))];
  const links = await Promise.all(ids.map((id) => link(id).catch(() => null)));
  return new Map(links.filter((link) => link !== null).map((link) => [link.id, linkNameOf(link)]));
}

/** Adds these names. Null: there is no link, or it cannot be read. */
export async function withLinkNames<T extends OfLink>(things: readonly T[], lookups: Pick<Lookups, 'link'>) {
  const names = await namesOfLinks(things, lookups);
  return things.map((thing) => ({ ...thing, linkName: names.get(thing.linkId ?? '') ?? null }));
}
