import type { Context } from '@landfall/bus';
import { type InputOf, type ListLinks, nextCursor, readCursor } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function listLinks(repository: LinkRepository) {
  return async ({ appId, limit, cursor }: InputOf<typeof ListLinks>, _: Context) => {
    const links = await repository.list(appId, limit, readCursor(cursor));
    return { reply: { links, next: nextCursor(links, limit, (link) => link.createdAt) } };
  };
}
