import { type Backlog, distinct, type Handler, type Log, type Message, type Outcome, told } from '@landfall/bus';
import { type InputOf, LinksRestored, type RestoreLinks } from '@landfall/contracts';
import type { Database, SqlTransaction } from '@landfall/db';
import { fromWhere, sha256 } from '../bytes.ts';
import type { Ask } from '../domain/candidate.ts';
import type { Restore } from '../domain/past.ts';
import { createPool } from '../domain/pool.ts';
import { claimantOf, type RestoreRequest, restoreInOrder } from '../domain/restore.ts';
import { tapsOf } from '../domain/token.ts';
import { dependsOnSettings, isBeyondMemory } from '../domain/what-if/facts.ts';
import type { NewDevices } from '../new-devices.ts';
import { activityRepository } from '../repositories/activity-repository.ts';
import { findNearby } from '../repositories/nearby-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';
import { restoreReader, restoreRepository } from '../repositories/restore-repository.ts';
import { createRollouts, type Rollouts } from '../rollouts.ts';
import { countOthers, deviceOf, meetDevices, NOBODY } from '../sightings.ts';

/** Seconds after which a client may retry a refused restore. */
const CATCH_UP_SECONDS = 5;

/**
 * Gives a device its own pending links. `domain/match.ts` decides which device gets which link.
 * @param taps the backlog of taps. While it is late, no links are given: the caller's own tap may be missing
 */
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
    const { decided, stored } = await database.transaction((tx) => restoreAll(tx, asks, rollouts, newDevices));
    for (const { id, appId, matchType, summary, reply } of decided.restores) {
      log.info({ appId, restoreId: id, matchType, count: reply.matches.length }, `restore: ${summary}`);
    }
    for (const { id, appId } of asks.filter((ask) => !stored.has(ask.id))) {
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

type Asking = Ask & { expired(): boolean };

const toAsk = ({ data, context }: Message<InputOf<typeof RestoreLinks>>): Asking => ({
  ...data,
  id: context.id,
  now: context.now,
  from: () => fromWhere(data.address, data.userAgent),
  expired: () => context.expired(),
});

/**
 * All transactions lock in this order: devices, contacts, pending links. Earlier restores are read after that, when the
 * previous holder of the candidates has committed. Statements that need no earlier result are sent together.
 */
async function restoreAll(tx: SqlTransaction, asks: readonly Asking[], rollouts: Rollouts, newDevices: NewDevices) {
  const pending = pendingLinkRepository(tx);
  const restores = restoreRepository(tx);
  const meeting = meetDevices(tx, asks);
  pending.insert(tapsOf(asks));
  const [{ sightings, sighted }, { ids, crowded, near }] = await Promise.all([meeting, pending.findCandidates(asks)]);
  const claimants = new Map(asks.map((ask) => [ask.id, sha256(claimantOf(ask, sightings.get(ask.id)!.device))]));
  const claiming = asks.map((ask) => {
    const { id, appId, now, token } = ask;
    return { id, appId, now, token, claimant: claimants.get(id)!, device: ids.length > 0 ? deviceOf(ask) : null };
  });
  // Facts are remembered of restores whose decision other settings may change. Only some have a tap to remember besides
  // the candidates.
  const dependent = asks.filter(
    (ask) => dependsOnSettings(ask, sightings.get(ask.id)!) && !isBeyondMemory(ask, crowded.has(ask.id)),
  );
  const remembered = dependent.filter(({ id }) => near.has(id));
  // The other people at the address, and a rollout of the app, matter only when there is a candidate, or for the facts.
  const [rows, earlier, others, rollout, further] = await Promise.all([
    pending.lockCandidates(asks, ids),
    restores.findEarlier(claiming),
    countOthers(tx, ids.length > 0 ? asks : remembered),
    rollouts.of(tx, ids.length > 0 ? asks : remembered),
    findNearby(tx, remembered),
  ]);
  // Somebody else closed a candidate before it was locked. So it is one of the other taps now.
  const nearby = rows.length < ids.length ? await findNearby(tx, dependent) : further;
  const pool = createPool(rows);
  // A row that is also a candidate is one object, so that it is closed in both places.
  const locked = new Map(rows.map((row) => [row.id, row]));
  const nearbyOf = (ask: Asking): RestoreRequest['nearby'] => {
    if (ask.matching.evidence === 'exact') return undefined;
    if (!dependsOnSettings(ask, sightings.get(ask.id)!)) return 'never';
    const taps = nearby.get(ask.id) ?? { rows: [], truncated: false };
    const here = taps.rows.map((row) => locked.get(row.id) ?? row);
    return { ...taps, rows: here, rollout: rollout.get(ask.id) ?? null };
  };
  // Most restores have nothing to decide about: no row in the whole batch, no tap near, no token, no earlier answer.
  const isIdle = rows.length === 0 && earlier.length === 0;
  const undecided = isIdle ? asks.filter(({ id, token }) => nearby.has(id) || crowded.has(id) || token !== null) : asks;
  const asked = undecided.map((ask) => {
    const seen = {
      ...(others.get(ask.id) ?? NOBODY),
      rollout: ask.matching.existingUsers ? (rollout.get(ask.id) ?? null) : null,
      crowd: crowded.has(ask.id),
    };
    const sighting = { ...sightings.get(ask.id)!, ...seen };
    return { ...ask, claimant: claimants.get(ask.id)!, sighting, nearby: nearbyOf(ask) };
  });
  const decided = restoreInOrder(asked, pool, earlier);
  pending.close(decided.closings);
  const inserted = await restores.insert(decided.restores);
  const stored = new Map(earlier.map((restore) => [restore.id, restore]));
  for (const restore of decided.restores) if (inserted.has(restore.id)) stored.set(restore.id, restore);
  // If a message is handled twice at the same time, both handlers answer with the decision that was stored first.
  const elsewhere = decided.restores.map(({ id }) => id).filter((id) => !inserted.has(id));
  for (const [id, restore] of await restores.find(elsewhere)) stored.set(id, restore);
  activityRepository(tx).count(newDevices.thatCount(sighted));
  return { decided, stored };
}

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
