import { type Backlog, distinct, type Handler, type Log, type Message, type Outcome, told } from '@landfall/bus';
import { type InputOf, LinksRestored, type RestoreLinks } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Restore } from '../domain/past.ts';
import { createPool } from '../domain/pool.ts';
import { restoreInOrder } from '../domain/restore.ts';
import { fromWhere } from '../hashes.ts';
import type { NewDevices } from '../new-devices.ts';
import { restoreReader } from '../repositories/restore-repository.ts';
import { type Asking, gather, write } from '../restoring.ts';
import { createRollouts } from '../rollouts.ts';

/** Seconds after which a client may retry a refused restore. */
const CATCH_UP_SECONDS = 5;

/** @param taps the backlog of taps. While it is late, no links are given: the caller's own tap may be missing */
export function restoreLinks(
  database: Database,
  log: Log,
  taps: Backlog,
  newDevices: NewDevices,
): Handler<typeof RestoreLinks> {
  const rollouts = createRollouts(log);
  return async (batch) => {
    if (taps.late()) return refuseAll(database, batch);
    const asks = distinct(batch).map(toAsk);
    const { decided, stored } = await database.transaction(async (tx) => {
      const gathered = await gather(tx, asks, rollouts);
      const decided = restoreInOrder(gathered.requests, createPool(gathered.rows), gathered.earlier);
      return { decided, stored: await write(tx, decided, gathered, newDevices) };
    });
    const untapped = new Set(decided.restores.filter(({ code }) => code === 'untapped').map(({ id }) => id));
    for (const { id, appId, matchType, summary, reply } of decided.restores) {
      if (untapped.has(id)) continue;
      log.info({ appId, restoreId: id, matchType, count: reply.matches.length }, `restore: ${summary}`);
    }
    for (const { id, appId } of asks.filter((ask) => untapped.has(ask.id) || !stored.has(ask.id))) {
      const what = decided.awaiting.has(id) ? 'a heartbeat may change it' : 'no candidate';
      log.debug({ appId, restoreId: id }, `restore: ${what}`);
    }
    return batch.map(({ data, context: { id } }) => toOutcome(stored.get(id), decided.awaiting.has(id), data));
  };
}

/** Refuses the restores of a batch. A message that was answered before gets the same answer again. */
async function refuseAll(
  database: Database,
  batch: readonly Message<InputOf<typeof RestoreLinks>>[],
): Promise<Outcome<typeof RestoreLinks>[]> {
  const ids = distinct(batch).map(({ context }) => context.id);
  const stored = await restoreReader(database).find(ids);
  return batch.map(({ data, context: { id } }) =>
    stored.has(id)
      ? toOutcome(stored.get(id), false, data)
      : { refusal: { code: 'CATCHING_UP', facts: { seconds: CATCH_UP_SECONDS } } },
  );
}

const toAsk = ({ data, context }: Message<InputOf<typeof RestoreLinks>>): Asking => ({
  ...data,
  id: context.id,
  now: context.now,
  from: () => fromWhere(data.address, data.userAgent),
  expired: () => context.expired(),
});

function toOutcome(
  restore: Restore | undefined,
  awaitHeartbeat: boolean,
  { fingerprint: device, platform, country, appVersion }: InputOf<typeof RestoreLinks>,
): Outcome<typeof RestoreLinks> {
  if (restore === undefined) return { reply: { matches: [], awaitHeartbeat } };
  const { id: restoreId, appId, matchType, reply, repeats } = restore;
  // A repeated answer restores nothing more, so it has no event.
  if (matchType === null || repeats !== null) return { reply };
  const tappedAt = new Map(restore.considered.map((one) => [one.pendingLinkId, one.tappedAt]));
  const links = reply.matches.map(({ linkId, pendingLinkId }) => ({
    linkId,
    pendingLinkId,
    tappedAt: tappedAt.get(pendingLinkId) ?? null,
  }));
  const data = { restoreId, appId, device, matchType, links, platform, country, appVersion };
  return { reply, events: [told(LinksRestored, data)] };
}
