// Reads and locks what a batch of restores is decided from, and writes what was decided.
import type { SqlTransaction } from '@landfall/db';
import { type Ask, isFreshToken, type NewPendingLink, type PendingLink } from './domain/candidate.ts';
import type { Restore } from './domain/past.ts';
import { claimantOf, type Decided, type RestoreRequest } from './domain/restore.ts';
import { dependsOnSettings, isBeyondMemory } from './domain/what-if/facts.ts';
import { sha256 } from './hashes.ts';
import type { NewDevices, Sighted } from './new-devices.ts';
import { activityRepository } from './repositories/activity-repository.ts';
import { findNearby } from './repositories/nearby-repository.ts';
import { pendingLinkRepository } from './repositories/pending-link-repository.ts';
import { restoreRepository } from './repositories/restore-repository.ts';
import type { Rollouts } from './rollouts.ts';
import { countOthers, deviceOf, meetDevices, NOBODY } from './sightings.ts';

export type Asking = Ask & { expired(): boolean };

export interface Gathered {
  readonly requests: readonly RestoreRequest[];
  /** The candidates, locked. */
  readonly rows: readonly PendingLink[];
  /** Earlier restores of these messages, claimants, tokens and devices. */
  readonly earlier: readonly Restore[];
  readonly sighted: readonly Sighted[];
}

/**
 * All transactions lock in this order: devices, contacts, pending links. Earlier restores are read after that, when the
 * previous holder of the candidates has committed. Statements that need no earlier result are sent together.
 */
export async function gather(tx: SqlTransaction, asks: readonly Asking[], rollouts: Rollouts): Promise<Gathered> {
  const pending = pendingLinkRepository(tx);
  const meeting = meetDevices(tx, asks);
  pending.insert(tapsOf(asks));
  const [{ sightings, sighted, first }, { ids, crowded, near }] = await Promise.all([
    meeting,
    pending.findCandidates(asks),
  ]);

  const hasCandidates = ids.length > 0;
  const claiming = asks.map((ask) => ({
    ...ask,
    claimant: sha256(claimantOf(ask, sightings.get(ask.id)!.device)),
    device: hasCandidates ? deviceOf(ask) : null,
  }));
  const dependent = asks.filter((ask) => dependsOnSettings(ask, sightings.get(ask.id)!));
  // A decision remembers its facts if other settings may change it, and if its taps are not too many to remember.
  const memorable = dependent.filter((ask) => !isBeyondMemory(ask, crowded.has(ask.id)));
  const remembered = memorable.filter(({ id }) => near.has(id));
  // The others at the address, and a rollout of the app, matter only for candidates and for remembered facts.
  const counted = hasCandidates ? asks : remembered;
  const [rows, earlier, others, rollout, found] = await Promise.all([
    pending.lockCandidates(asks, ids),
    restoreRepository(tx).findEarlier(claiming),
    countOthers(tx, counted),
    rollouts.of(tx, counted),
    findNearby(tx, remembered),
  ]);
  // Somebody else closed a candidate before it was locked. So it is one of the other taps now.
  const nearby = rows.length < ids.length ? await findNearby(tx, memorable) : found;

  // A tap that is also a candidate is one object, so that it is closed in both places.
  const locked = new Map(rows.map((row) => [row.id, row]));
  const rolloutOf = ({ id }: Ask) => rollout.get(id) ?? null;
  // Most restores have nothing to decide about: no candidate in the whole batch, no tap near, no token, no earlier answer.
  const isIdle = ({ id, token }: Ask) =>
    rows.length === 0 && earlier.length === 0 && !nearby.has(id) && !crowded.has(id) && token === null;
  function nearbyOf(ask: Asking): RestoreRequest['nearby'] {
    if (ask.matching.evidence === 'exact') return undefined;
    // Without any tap, no setting gives one.
    if (!dependent.includes(ask) || isIdle(ask)) return 'never';
    const taps = nearby.get(ask.id) ?? { rows: [], truncated: false };
    return { ...taps, rows: taps.rows.map((row) => locked.get(row.id) ?? row), rollout: rolloutOf(ask) };
  }

  const requests = asks.flatMap((ask, i): RestoreRequest[] => {
    const idle = isIdle(ask);
    const isFirst = first.has(ask.id);
    if (idle && !isFirst) return [];
    const sighting = {
      ...sightings.get(ask.id)!,
      ...(others.get(ask.id) ?? NOBODY),
      rollout: ask.matching.existingUsers ? rolloutOf(ask) : null,
      crowd: crowded.has(ask.id),
    };
    return [{ ...ask, claimant: claiming[i]!.claimant, sighting, nearby: nearbyOf(ask), isFirst, isIdle: idle }];
  });
  return { requests, rows, earlier, sighted };
}

/** Returns the taps that the tokens describe, in case they are not stored yet. Such a tap is then claimed like any other. */
const tapsOf = (asks: readonly Ask[]): NewPendingLink[] =>
  asks.filter(isFreshToken).map(({ appId, token }) => ({
    id: token!.tapId,
    appId,
    linkId: token!.linkId,
    kind: 'tap',
    tappedAt: new Date(token!.tappedAt),
    originalUrl: null,
    sealedUrl: null,
    platform: null,
    model: null,
    osMajor: null,
    builds: null,
    language: null,
    address: null,
    userAgent: null,
    email: null,
    fingerprint: null,
  }));

/** Writes the decisions of a batch. Returns the stored restores, by message. */
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
