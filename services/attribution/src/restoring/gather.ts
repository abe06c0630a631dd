// Reads and locks what a batch of restores is decided from.
import type { SqlTransaction } from '@landfall/db';
import { sha256 } from '../bytes.ts';
import type { Ask, Others, PendingLink, Sighting } from '../domain/candidate.ts';
import type { Restore } from '../domain/past.ts';
import { claimantOf } from '../domain/restore.ts';
import type { Reaching } from '../domain/rollout.ts';
import { tapsOf } from '../domain/token.ts';
import { dependsOnSettings, isBeyondMemory } from '../domain/what-if/facts.ts';
import type { Sighted } from '../new-devices.ts';
import { findNearby, type NearbyTaps } from '../repositories/nearby-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';
import { restoreRepository } from '../repositories/restore-repository.ts';
import type { Rollouts } from '../rollouts.ts';
import { countOthers, deviceOf, meetDevices } from '../sightings.ts';

/** What is known of the restores of a batch. The maps are by message. */
export interface Gathered {
  readonly sightings: ReadonlyMap<string, Sighting>;
  /** The devices that were seen for the first time on their day. */
  readonly sighted: readonly Sighted[];
  /** The claimant of each restore: see {@link claimantOf}. Null: nobody is named. */
  readonly claimants: ReadonlyMap<string, string | null>;
  /** Restores at whose address too many taps wait. */
  readonly crowded: ReadonlySet<string>;
  /** The candidates, locked. */
  readonly rows: readonly PendingLink[];
  /** Earlier restores of these messages, claimants, tokens and devices. */
  readonly earlier: readonly Restore[];
  readonly others: ReadonlyMap<string, Others>;
  readonly rollout: ReadonlyMap<string, Reaching>;
  /** The taps at the addresses, of restores whose facts are remembered. */
  readonly nearby: ReadonlyMap<string, NearbyTaps>;
}

/**
 * All transactions lock in this order: devices, contacts, pending links. Earlier restores are read after that, when the
 * previous holder of the candidates has committed. Statements that need no earlier result are sent together.
 */
export async function gather(tx: SqlTransaction, asks: readonly Ask[], rollouts: Rollouts): Promise<Gathered> {
  const pending = pendingLinkRepository(tx);
  const meeting = meetDevices(tx, asks);
  pending.insert(tapsOf(asks));
  const [{ sightings, sighted }, { ids, crowded, near }] = await Promise.all([meeting, pending.findCandidates(asks)]);
  const hasCandidates = ids.length > 0;
  const claimants = new Map(asks.map((ask) => [ask.id, sha256(claimantOf(ask, sightings.get(ask.id)!.device))]));
  const claiming = asks.map((ask) => {
    const { id, appId, now, token } = ask;
    return { id, appId, now, token, claimant: claimants.get(id)!, device: hasCandidates ? deviceOf(ask) : null };
  });
  // A decision remembers its facts if other settings may change it, and if its taps are not too many to remember.
  const dependent = asks.filter(
    (ask) => dependsOnSettings(ask, sightings.get(ask.id)!) && !isBeyondMemory(ask, crowded.has(ask.id)),
  );
  const remembered = dependent.filter(({ id }) => near.has(id));
  // The others at the address, and a rollout of the app, matter only for candidates and for remembered facts.
  const counted = hasCandidates ? asks : remembered;
  const [rows, earlier, others, rollout, nearby] = await Promise.all([
    pending.lockCandidates(asks, ids),
    restoreRepository(tx).findEarlier(claiming),
    countOthers(tx, counted),
    rollouts.of(tx, counted),
    findNearby(tx, remembered),
  ]);
  const known = { sightings, sighted, claimants, crowded, rows, earlier, others, rollout };
  // Somebody else closed a candidate before it was locked. So it is one of the other taps now.
  return { ...known, nearby: rows.length < ids.length ? await findNearby(tx, dependent) : nearby };
}
