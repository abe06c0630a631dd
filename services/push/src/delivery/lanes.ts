// The lanes of this worker: which lanes there are, which of them may send, and with which credentials.
import type { PushKind } from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import type { PushProvider } from '../providers/provider.ts';
import type { StoredCredentials } from '../providers/providers.ts';
import { createLane, type Lane, laneKey } from './lane.ts';
import { type LaneId, type LaneState, queueRepository } from './queue/queue-repository.ts';
import type { Shared } from './settings.ts';

export interface LanesParts extends Shared {
  readonly providers: {
    /** The same key returns the same provider. */
    get(appId: string, kind: PushKind, credentials: StoredCredentials): PushProvider;
    /** Returns the provider for the pushes of an app without credentials. Null: the pushes fail. */
    without(appId: string, kind: PushKind): PushProvider | null;
  };
  readonly sealer: Pick<Sealer, 'open'>;
  /** Called with each lane that a look shuts. */
  readonly shut: (lane: Lane) => void;
}

export type Lanes = ReturnType<typeof createLanes>;

/** The maximum number of lanes that one look reads. */
const LANES = 1_000;

export function createLanes({ database, log, providers, sealer, now, shut }: LanesParts) {
  const repository = queueRepository(database);
  const lanes = new Map<string, Lane>();
  let looks = 0;
  let lookAfter: LaneId | null = null;
  let resting: readonly LaneState[] = [];

  const find = (id: LaneId): Lane | undefined => lanes.get(laneKey(id));

  /**
   * Reads the next lanes that have queued deliveries. Shuts lanes that rest, and opens lanes that have due deliveries.
   * Rejects when PostgreSQL cannot be queried. Call it only after the last look has ended.
   */
  async function look(): Promise<void> {
    looks++;
    const started = now();
    const found = await repository.findLanes(lookAfter, LANES);
    lookAfter = found.length < LANES ? null : found.at(-1)!;
    const isOpen = ({ paused, waitUntil }: LaneState) => !paused && !(waitUntil && waitUntil > started);
    resting = found.filter((state) => !isOpen(state));
    for (const state of resting) close(state);
    const due = found.filter((state) => state.firstAt <= started && isOpen(state));
    await open(due, looks);
    forgetIdle();
  }

  /** Shuts a lane that rests according to PostgreSQL, for example because another worker stored a rest. */
  function close(state: LaneState): void {
    const lane = find(state);
    if (!lane) return;
    lane.shut = true;
    lane.more = false;
    shut(lane);
  }

  /** Lets these lanes send, with their current credentials. */
  async function open(due: readonly LaneState[], look: number): Promise<void> {
    const ready = due.flatMap((state) => {
      const lane = find(state) ?? createLane(state);
      lanes.set(lane.key, lane);
      return look >= lane.reopensWith ? [{ state, lane }] : [];
    });
    const changed = ready.filter(({ state, lane }) => state.version !== lane.version);
    const secrets = await repository.readCredentials(
      changed.filter(({ state }) => state.version !== null).map(({ state }) => state),
    );
    const secretOf = new Map(secrets.map((secret) => [laneKey(secret), secret]));
    for (const { lane } of changed) equip(lane, secretOf.get(lane.key) ?? null);
    for (const { lane } of ready) {
      // The lane may have begun to rest while the credentials were read.
      if (look < lane.reopensWith) continue;
      lane.shut = false;
      lane.more = lane.version === null || lane.provider !== null;
    }
  }

  function equip(lane: Lane, secret: { credentials: string; version: number } | null): void {
    const { appId, kind } = lane;
    lane.patience = 0;
    lane.rests = 0;
    lane.version = secret?.version ?? null;
    lane.provider = null;
    if (!secret) {
      const without = providers.without(appId, kind);
      if (without) log.warn({ appId, kind }, 'an app has no credentials for a provider: its pushes are only logged');
      lane.provider = without && (() => without);
      return;
    }
    try {
      const opened = sealer.open('push credentials', secret.credentials);
      // The sealed text differs at each sealing. The version is there because a resumed lane needs new connections.
      const credentials = { key: `${secret.version} ${secret.credentials}`, opened };
      lane.provider = () => providers.get(appId, kind, credentials);
    } catch (err) {
      log.error(
        { err, appId, kind },
        'the credentials of an app cannot be opened: is SEAL_SECRET the same everywhere?',
      );
    }
  }

  function forgetIdle(): void {
    if (lanes.size <= LANES) return;
    for (const lane of lanes.values()) {
      if (lane.held === 0 && !lane.more && lane.underWay === 0 && lane.reopensWith <= looks) lanes.delete(lane.key);
    }
  }

  return {
    all: (): Iterable<Lane> => lanes.values(),
    find,
    look,
    /** Returns the lanes that the last look found resting. */
    resting: (): readonly LaneState[] => resting,
    /** The caller calls the returned function when the rest is stored. Only a later look may open the lane again. */
    rest(lane: Lane): () => void {
      lane.shut = true;
      lane.reopensWith = Number.POSITIVE_INFINITY;
      lane.more = false;
      return () => {
        lane.reopensWith = looks + 1;
      };
    },
  };
}
