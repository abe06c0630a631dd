import { distinct, type Handler } from '@landfall/bus';
import type { ReleaseRestore } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { linkRepository } from '../repositories/link-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';
import { restoreRepository } from '../repositories/restore-repository.ts';

/**
 * Opens the pending links that a restore closed, and stores the state of the links that the caller found archived or
 * expired. A restore and the restores that repeat its answer are released together. A lost answer is released alone,
 * because another one of these answers may have arrived.
 */
export function releaseRestore(database: Database): Handler<typeof ReleaseRestore> {
  return async (batch) => {
    const asked = new Map(distinct(batch).map(({ data, context }) => [data.restoreId, { at: context.now, ...data }]));
    const lost = [...asked.values()].filter((one) => one.lost);
    const taken = [...asked.values()].filter((one) => !one.lost);
    const released = await database.transaction(async (tx) => {
      const restores = restoreRepository(tx);
      const gone = batch.flatMap(({ data }) => data.gone);
      await linkRepository(tx).keepStates(gone);
      const answers = await restores.findSameAnswers(taken.map(({ restoreId }) => restoreId));
      const releases = new Map(answers.map(({ id, named }) => [id, { id, at: asked.get(named)!.at }]));
      restores.markReleased([...releases.values()]);
      const open = await restores.releaseLost(lost.map(({ restoreId: id, at }) => ({ id, at })));
      pendingLinkRepository(tx).reopen([...releases.values(), ...open]);
      return restores.find([...asked.keys()]);
    });
    return batch.map(({ data }) => ({
      reply: { released: (released.get(data.restoreId)?.releasedAt ?? null) !== null },
    }));
  };
}
