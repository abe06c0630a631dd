import { type InputOf, type ListRestores, nextCursor, readCursor } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { restoreReader } from '../repositories/restore-repository.ts';

export function listRestores(database: Database) {
  return async ({ appId, limit, cursor }: InputOf<typeof ListRestores>) => {
    const found = await restoreReader(database).list(appId, limit, readCursor(cursor));
    const restores = found.map(({ id, at, matchType, summary, considered, releasedAt }) => ({
      id,
      at: at.toISOString(),
      matchType,
      summary,
      considered: [...considered],
      releasedAt: releasedAt?.toISOString() ?? null,
    }));
    return { reply: { restores, next: nextCursor(restores, limit, (restore) => restore.at) } };
  };
}
