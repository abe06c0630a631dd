import type { Lookups } from '../lookups/lookups.ts';

/** Returns what people call links, else their slugs, by their ids. A link that cannot be read is left out. */
export async function namesOfLinks(
  things: readonly { linkId: string | null }[],
  { link }: Pick<Lookups, 'link'>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(things.flatMap(({ linkId }) => linkId ?? []))];
  const links = await Promise.all(ids.map((id) => link(id).catch(() => null)));
  return new Map(links.filter((link) => link !== null).map(({ id, name, slug }) => [id, name ?? slug]));
}
