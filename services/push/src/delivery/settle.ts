// Stores the outcomes of attempts, as many at a time as have gathered, and then publishes them.
import type { Bus, Log } from '@landfall/bus';
import type { Database } from '@landfall/db';
import { oneAtATime } from './queue/one-at-a-time.ts';
import { type Ended, type LaneStop, type Settlement, settlementRepository } from './queue/settlement-repository.ts';
import { tellEnded } from './tell.ts';

export interface Settler {
  /**
   * Accepts a settlement. Calls `done` when it is stored, or given up. If it is given up, any worker may take the
   * delivery after its lease.
   */
  add(settlement: Settlement, done: () => void): void;
  /** Accepts that a lane rests. Calls `done` when the rest is stored. */
  stopLane(stop: LaneStop, done: () => void): void;
  /** Publishes outcomes that a stopped worker did not publish. Resolves when the published outcomes are marked. */
  sweep(): Promise<void>;
  /** Resolves when every accepted settlement is stored and published, as far as possible. */
  drain(): Promise<void>;
  /** Stores nothing more, even if settlements are left. */
  giveUp(): void;
}

export interface SettlerParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly now: () => Date;
  readonly untoldMs: number;
  /** The settler waits for this promise before each batch. */
  readonly before: () => Promise<void>;
  /** Called with the deliveries whose outcomes were stored. */
  readonly ended: (ended: readonly Ended[]) => void;
}

const MOST = 500;
/**
 * The maximum number of batches that are published at the same time. At this limit, new batches are left to the sweep,
 * so that sending goes on.
 */
const MOST_TELLING = 4;
const SWEPT = 500;
const LONGEST_PAUSE_MS = 2_000;

interface Waiting {
  settlement: Settlement;
  done: () => void;
}

export function createSettler(parts: SettlerParts): Settler {
  const { database, bus, log, now } = parts;
  const repository = settlementRepository(database);
  let waiting: Waiting[] = [];
  let stops: { stop: LaneStop; done: () => void }[] = [];
  let told: string[] = [];
  const telling = new Set<Promise<void>>();
  /**
   * The size of a batch. It shrinks after a failure, so that a settlement that cannot be written is alone in its batch
   * in the end.
   */
  let most = MOST;
  let failures = 0;
  let over = false;

  const somethingWaits = () => waiting.length > 0 || stops.length > 0 || told.length > 0;

  const write = oneAtATime(async () => {
    while (!over && somethingWaits()) {
      await parts.before();
      await writeBatch();
    }
  });

  async function writeBatch(): Promise<void> {
    const batch = takeBatch();
    const resting = stops.toSorted((a, b) => (laneOf(a.stop) < laneOf(b.stop) ? -1 : 1));
    const marked = told.slice(0, MOST * 2);
    stops = [];
    told = told.slice(marked.length);
    try {
      const { ended } = await repository.settle(
        batch.map(({ settlement }) => settlement),
        resting.map(({ stop }) => stop),
        marked,
        now(),
      );
      failures = 0;
      most = Math.min(most * 2, MOST);
      parts.ended(ended);
      if (telling.size < MOST_TELLING) void tell(ended);
    } catch (err) {
      failures++;
      told = [...marked, ...told];
      stops = [...resting, ...stops];
      if (batch.length === 1 && failures > 10) {
        log.error({ err, delivery: batch[0]!.settlement.taken.id }, 'the outcome of a push could not be stored');
        batch[0]!.done();
        failures = 0;
        return;
      }
      waiting = [...batch, ...waiting];
      most = Math.max(Math.floor(most / 2), 1);
      log.warn({ err, pushes: waiting.length }, 'outcomes of pushes could not be stored: they are retried');
      await pause(Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS));
      return;
    }
    for (const { done } of batch) done();
    for (const { done } of resting) done();
  }

  /** Takes each delivery only once, because its second outcome is judged after the first. */
  function takeBatch(): Waiting[] {
    const batch = new Map<string, Waiting>();
    const left: Waiting[] = [];
    for (const one of waiting) {
      const { id } = one.settlement.taken;
      if (batch.size < most && !batch.has(id)) batch.set(id, one);
      else left.push(one);
    }
    waiting = left;
    return [...batch.values()];
  }

  function tell(ended: readonly Ended[]): Promise<void> {
    if (ended.length === 0) return Promise.resolve();
    const one = tellEnded(bus, log, ended).then((ids) => {
      telling.delete(one);
      for (const id of ids) told.push(id);
      if (told.length > 0) write();
    });
    telling.add(one);
    return one;
  }

  let wakeUp = () => {};
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (over) wakeUp();
    });
  }

  return {
    add(settlement, done) {
      waiting.push({ settlement, done });
      write();
    },
    stopLane(stop, done) {
      stops.push({ stop, done });
      write();
    },
    async sweep() {
      const before = new Date(now().getTime() - parts.untoldMs);
      await tell(await repository.findUntold(before, SWEPT));
      // If a sweep found these deliveries again before they are marked, it would publish them again.
      await write.idle();
    },
    async drain() {
      // An outcome is published only after it is stored, and marked as published after that. The check for remaining
      // work comes after both.
      do {
        write();
        await write.idle();
        await Promise.all(telling);
        await write.idle();
      } while (!over && (somethingWaits() || telling.size > 0));
    },
    giveUp() {
      over = true;
      wakeUp();
    },
  };
}

const laneOf = ({ appId, kind }: LaneStop) => `${appId} ${kind}`;
