// Writes the decisions of a batch, and returns what is stored.
import type { SqlTransaction } from '@landfall/db';
import type { Restore } from '../domain/past.ts';
import type { Decided } from '../domain/restore.ts';
import type { NewDevices } from '../new-devices.ts';
import { activityRepository } from '../repositories/activity-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';
import { restoreRepository } from '../repositories/restore-repository.ts';
import type { Gathered } from './gather.ts';

/** Returns the stored restores, by message. */
export async function write(
  tx: SqlTransaction,
  { closings, restores: decided }: Decided,
  { earlier, sighted }: Gathered,
  newDevices: NewDevices,
): Promise<Map<string, Restore>> {
  const restores = restoreRepository(tx);
  pendingLinkRepository(tx).close(closings);
  const inserted = await restores.insert(decided);
  const stored = new Map(earlier.map((restore) => [restore.id, restore]));
  for (const restore of decided) if (inserted.has(restore.id)) stored.set(restore.id, restore);
  // If a message is handled twice at the same time, both handlers answer with the decision that was stored first.
  const elsewhere = decided.map(({ id }) => id).filter((id) => !inserted.has(id));
  for (const [id, restore] of await restores.find(elsewhere)) stored.set(id, restore);
  activityRepository(tx).count(newDevices.thatCount(sighted));
  return stored;
}
