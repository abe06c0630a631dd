// The delivery queue of one worker: takes due deliveries, sends them, and stores their outcomes. Any number of workers
// may run at the same time.
import type { Bus } from '@landfall/bus';
import type { Metrics } from '@landfall/runtime';
import pTimeout from 'p-timeout';
import { deliveryMetrics } from './delivery-metrics.ts';
import { createLanes, type LanesParts } from './lanes.ts';
import { createExpiry } from './queue/end-expired.ts';
import { createStopper } from './queue/end-stopped.ts';
import { expandDue } from './queue/expand.ts';
import { oneAtATime } from './queue/one-at-a-time.ts';
import { stoppedRepository } from './queue/stopped-repository.ts';
import { createSender } from './sender.ts';
import { type DeliverySettings, defaultSettings } from './settings.ts';
import { createSettler } from './settle.ts';

export interface DeliveryParts extends Pick<LanesParts, 'database' | 'log' | 'providers' | 'sealer'> {
  readonly bus: Bus;
  readonly metrics: Pick<Metrics, 'add' | 'count'>;
  /** Returns the time in milliseconds since 1970. The clocks of the workers should agree. */
  readonly now: () => number;
  /** Returns a number of at least 0 and less than 1. */
  readonly random?: () => number;
  readonly settings?: Partial<DeliverySettings>;
}

/** The maximum number of stopped notifications that are ended at a time. */
const MOST_STOPPING = 1_000;

export type PushDelivery = ReturnType<typeof startDelivery>;

export function startDelivery(parts: DeliveryParts) {
  const { database, bus, log, providers, sealer, random = Math.random } = parts;
  const settings = { ...defaultSettings, ...parts.settings };
  const now = () => new Date(parts.now());
  let stopping = false;
  let prolonging: Promise<void> = Promise.resolve();
  const shared = { database, log, now, settings, stopped: () => stopping };

  const metrics = deliveryMetrics(parts.metrics, { database, now, underWay: () => sender.underWay() });
  const settler = createSettler({ ...shared, bus, before: () => prolonging, ended: metrics.ended });
  const lanes = createLanes({ ...shared, providers, sealer, shut: (lane) => sender.giveBack(lane) });
  const sender = createSender({ ...shared, random, lanes, settler, attempted: metrics.attempted });
  const endExpired = createExpiry({ ...shared, lanes, settler });
  const endStopped = createStopper(shared);

  const task = (run: () => Promise<void>, failed: string) =>
    oneAtATime(async () => {
      if (!stopping) await run().catch((err) => log.warn({ err }, failed));
    });
  const look = task(async () => {
    await lanes.look();
    sender.refill();
  }, 'the queue of pushes could not be read: retried at the next round');
  const expand = task(
    () => expandDue({ ...shared, made: look }),
    'due notifications could not be read: retried at the next round',
  );
  const heedStops = task(async () => {
    const ids = await stoppedRepository(database).find(MOST_STOPPING);
    // First, so that no more sends of these notifications begin.
    sender.heedStops(ids);
    await endStopped(ids);
  }, 'stopped pushes could not be read: retried at the next round');
  const keep = task(async () => {
    prolonging = sender.keep();
    await prolonging;
    await endExpired();
  }, 'expired pushes could not be ended: retried at the next round');
  const measure = task(metrics.measure, 'the queue of pushes could not be measured');
  const sweep = task(settler.sweep, 'outcomes that are not published yet could not be read: retried at the next round');
  const wakened = [heedStops, expand, look];
  const all = [...wakened, keep, measure, sweep];

  /** Looks for due deliveries, because something may be due now. Returns at once. */
  function wake(): void {
    for (const run of wakened) run();
  }
  const timer = setInterval(() => {
    for (const run of all) run();
  }, settings.pollMs);
  wake();

  const giveBackAll = () => {
    for (const lane of lanes.all()) sender.giveBack(lane);
  };

  /** Lets everything that was begun come to its end. */
  async function finish(): Promise<void> {
    giveBackAll();
    await Promise.all([sender.idle(), ...all.map((run) => run.idle())]);
    giveBackAll();
    await sender.sent();
    await settler.drain();
  }

  return {
    wake,
    /**
     * Takes no more deliveries. Lets the sends under way end, stores and publishes their outcomes, and gives the other
     * deliveries back.
     */
    async stop(): Promise<void> {
      if (stopping) return;
      stopping = true;
      clearInterval(timer);
      await pTimeout(finish(), { milliseconds: settings.stopMs, fallback: settler.giveUp });
    },
  };
}
