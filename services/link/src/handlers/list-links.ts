import type { Context } from '@landfall/bus';
import { cursorAfter, type InputOf, type ListLinks, readCursor } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function listLinks(repository: LinkRepository) {
  return async ({ appId, limit, cursor }: InputOf<typeof ListLinks>, _: Context) => {
    const links = await repository.list(appId, limit, readCursor(cursor));
    const last = links.at(-1);
    const next = last && links.length === limit ? cursorAfter({ at: new Date(last.createdAt), id: last.id }) : null;
    return { reply: { links, next } };
  };
}
