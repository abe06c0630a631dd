import type { Context } from '@landfall/bus';
import { type InputOf, type ListLinkEdits, nextCursor, readCursor } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';
import { pageOf } from '../page.ts';

const done = (entry: { at: string }) => entry.at;

export function listLinkEdits(repository: LinkRepository) {
  return async ({ limit, cursor, ...of }: InputOf<typeof ListLinkEdits>, _: Context) => {
    const found = await repository.listEdits(of, limit, readCursor(cursor));
    const { rows: entries, next } = pageOf(found, done, nextCursor(found, limit, done));
    return { reply: { entries, next } };
  };
}
