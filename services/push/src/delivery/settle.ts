// Stores the outcomes of attempts, as many at a time as have gathered, and then publishes them.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, eventId, type Log } from '@landfall/bus';
import { PushFailed, PushSent, PushTokenDropped } from '@landfall/contracts';
import { laneKey } from './lane.ts';
import { oneAtATime } from './queue/one-at-a-time.ts';
import { type Ended, type LaneStop, type Settlement, settlementRepository } from './queue/settlement-repository.ts';
import type { Shared } from './settings.ts';

export type Settler = ReturnType<typeof createSettler>;

export interface SettlerParts extends Shared {
  readonly bus: Bus;
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

export function createSettler(parts: SettlerParts) {
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
  const over = new AbortController();
  const isOver = () => over.signal.aborted;

  const somethingWaits = () => waiting.length > 0 || stops.length > 0 || told.length > 0;

  const write = oneAtATime(async () => {
    while (!isOver() && somethingWaits()) {
      await parts.before();
      await writeBatch();
    }
  });

  async function writeBatch(): Promise<void> {
    const batch = takeBatch();
    const resting = stops.toSorted((a, b) => (laneKey(a.stop) < laneKey(b.stop) ? -1 : 1));
    const marked = told.slice(0, MOST * 2);
    stops = [];
    told = told.slice(marked.length);
    try {
      const ended = await repository.settle(
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
      await sleep(Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS), null, { signal: over.signal }).catch(() => {});
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

  return {
    /**
     * Accepts a settlement. Calls `done` when it is stored, or given up. If it is given up, any worker may take the
     * delivery after its lease.
     */
    add(settlement: Settlement, done: () => void): void {
      waiting.push({ settlement, done });
      write();
    },
    /** Accepts that a lane rests. Calls `done` when the rest is stored. */
    stopLane(stop: LaneStop, done: () => void): void {
      stops.push({ stop, done });
      write();
    },
    /** Publishes outcomes that a stopped worker did not publish. Resolves when the published outcomes are marked. */
    async sweep(): Promise<void> {
      const before = new Date(now().getTime() - parts.settings.untoldMs);
      await tell(await repository.findUntold(before, SWEPT));
      // If a sweep found these deliveries again before they are marked, it would publish them again.
      await write.idle();
    },
    /** Resolves when every accepted settlement is stored, published and marked so, as far as possible. */
    async drain(): Promise<void> {
      do {
        write();
        await write.idle();
        await Promise.all(telling);
        await write.idle();
      } while (!isOver() && (somethingWaits() || telling.size > 0));
    },
    /** Stores nothing more, even if settlements are left. */
    giveUp: (): void => over.abort(),
  };
}

/** The number of deliveries that are published at the same time. A bus accepts no more events than it can hold. */
const TOLD_AT_ONCE = 100;

/** Returns the ids of the published deliveries. The sweep publishes the others later. Never rejects. */
async function tellEnded(bus: Bus, log: Log, ended: readonly Ended[]): Promise<string[]> {
  const told: string[] = [];
  let failure: unknown;
  let next = 0;
  const tellMore = async () => {
    // If one publication fails because of the bus, the others would fail, too.
    while (next < ended.length && !failure) {
      const delivery = ended[next++]!;
      try {
        await tellOne(bus, delivery);
        told.push(delivery.id);
      } catch (error) {
        failure = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(TOLD_AT_ONCE, ended.length) }, tellMore));
  if (failure) {
    const untold = ended.length - told.length;
    log.warn({ err: failure, untold }, 'outcomes of pushes could not be published: they are retried');
  }
  return told;
}

/** The ids of the events follow from the delivery, so an event that is published twice keeps its id. */
async function tellOne(bus: Bus, delivery: Ended): Promise<void> {
  const { id, notificationId, appId, deviceId, platform, kind, state, endedAt } = delivery;
  const of = { notificationId, deliveryId: id, appId, deviceId, kind };
  const options = (name: string) => ({ id: eventId(id, name, 0), now: endedAt });
  if (delivery.dropReason !== null) {
    const data = { deviceId, appId, kind, reason: delivery.dropReason };
    await bus.tell(PushTokenDropped, data, options('PushTokenDropped'));
  }
  if (state === 'sent' || state === 'logged') {
    await bus.tell(PushSent, { ...of, logged: state === 'logged', platform }, options('PushSent'));
  } else {
    await bus.tell(PushFailed, { ...of, outcome: state, reason: delivery.reason ?? '' }, options('PushFailed'));
  }
}
