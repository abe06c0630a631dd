import type { One } from '@landfall/bus';
import type { FindPendingLinks } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { findOutcomes } from '../repositories/outcome-repository.ts';

export function findPendingLinks(database: Database): One<typeof FindPendingLinks> {
  return async (asked) => {
    const found = await findOutcomes(database, asked);
    const pendingLinks = found.map(({ tappedAt, ...row }) => ({ ...row, tappedAt: tappedAt.toISOString() }));
    return { reply: { pendingLinks } };
  };
}
