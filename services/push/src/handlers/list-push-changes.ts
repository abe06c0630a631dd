import type { One } from '@landfall/bus';
import { type ListPushChanges, nextCursor, readCursor } from '@landfall/contracts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function listPushChanges({ changes }: PushRepository): One<typeof ListPushChanges> {
  return async ({ limit, cursor, ...of }) => {
    const entries = await changes.list(of, limit, readCursor(cursor));
    return { reply: { entries, next: nextCursor(entries, limit, ({ at }) => at) } };
  };
}
