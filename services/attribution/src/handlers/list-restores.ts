import { cursorAfter, type InputOf, type ListRestores, readCursor } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import * as repository from '../restore-repository.ts';

export function listRestores(database: Database) {
  return async ({ appId, limit, cursor }: InputOf<typeof ListRestores>) => {
    const found = await repository.listRestores(database, appId, limit, readCursor(cursor));
    const restores = found.map(({ id, at, matchType, summary, considered, releasedAt }) => ({
      id,
      at: at.toISOString(),
      matchType,
      summary,
      considered: [...considered],
      releasedAt: releasedAt?.toISOString() ?? null,
    }));
    const last = found.at(-1);
    return { reply: { restores, next: last && found.length === limit ? cursorAfter(last) : null } };
  };
}
