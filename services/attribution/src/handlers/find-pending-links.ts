import type { One } from '@landfall/bus';
import type { FindPendingLinks, FindTap } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { findOutcomes, findTapOf } from '../repositories/outcome-repository.ts';

export function findPendingLinks(database: Database): One<typeof FindPendingLinks> {
  return async (asked) => {
    const found = await findOutcomes(database, asked);
    const pendingLinks = found.map(({ tappedAt, ...row }) => ({ ...row, tappedAt: tappedAt.toISOString() }));
    return { reply: { pendingLinks } };
  };
}

export function findTap(database: Database): One<typeof FindTap> {
  return async ({ appId, tapId }) => {
    const found = await findTapOf(database, appId, tapId);
    return { reply: { tap: found && { tapId, linkId: found.linkId, at: found.at.toISOString() } } };
  };
}
