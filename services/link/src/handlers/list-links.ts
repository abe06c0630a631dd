import type { Context } from '@landfall/bus';
import { type InputOf, type ListLinks, nextCursor, readCursor } from '@landfall/contracts';
import { wantedLinks } from '../domain/listing.ts';
import type { LinkRepository } from '../link-repository.ts';
import { pageOf } from '../page.ts';

const made = (link: { createdAt: string }) => link.createdAt;

export function listLinks(repository: LinkRepository) {
  return async ({ limit, cursor, ...asked }: InputOf<typeof ListLinks>, { now }: Context) => {
    const wanted = wantedLinks(asked, readCursor(cursor));
    if (!wanted) return { reply: { links: [], next: null } };
    const found = await repository.list(wanted, limit, now);
    const { rows: links, next } = pageOf(found.links, made, nextCursor(found.links, limit, made) ?? found.walkedTo);
    return { reply: { links, next } };
  };
}
