// The delivery queue of one worker: takes due deliveries, sends them, and stores their outcomes. Any number of workers
// may run at the same time.
import type { Bus } from '@landfall/bus';
import type { Metrics } from '@landfall/runtime';
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
  readonly metrics?: Pick<Metrics, 'add' | 'count'>;
  /** Returns the time in milliseconds since 1970. The clocks of the workers should agree. */
  readonly now: () => number;
  /** Returns a number of at least 0 and less than 1. */
  readonly random?: () => number;
  readonly settings?: Partial<DeliverySettings>;
}

/**
 * The maximum number of stopped notifications that are ended at a time. If there are more, the notifications that were
 * stopped first come first.
 */
const MOST_STOPPING = 1_000;

export interface PushDelivery {
  /** Looks for due deliveries, because something may be due now. Returns at once. */
  wake(): void;
  /**
   * Takes no more deliveries. Lets the sends under way end, stores and publishes their outcomes, and gives the other
   * deliveries back.
   */
  stop(): Promise<void>;
}

export function startDelivery(parts: DeliveryParts): PushDelivery {
  const { database, bus, log, providers, sealer, random = Math.random } = parts;
  const settings = { ...defaultSettings, ...parts.settings };
  const now = () => new Date(parts.now());
  let stopping = false;
  const stopped = () => stopping;
  let prolonging: Promise<void> = Promise.resolve();

  const metrics = deliveryMetrics(parts.metrics, { database, now, underWay: () => sender.underWay() });
  const settler = createSettler({
    database,
    bus,
    log,
    now,
    untoldMs: settings.untoldMs,
    before: () => prolonging,
    ended: metrics.ended,
  });
  const lanes = createLanes({ database, log, providers, sealer, now, shut: (lane) => sender.giveBack(lane) });
  const sender = createSender({
    database,
    log,
    now,
    random,
    settings,
    lanes,
    settler,
    attempted: metrics.attempted,
    stopped,
  });
  const endExpired = createExpiry({ database, now, leaseMs: settings.leaseMs, lanes, settler, stopped });

  const expand = oneAtATime(() =>
    expandDue({ database, log, now, pageSize: settings.pageSize, made: look, stopped }).catch((err) =>
      log.warn({ err }, 'due notifications could not be read: retried at the next round'),
    ),
  );
  const lookOnce = oneAtATime(async () => {
    if (stopping) return;
    try {
      await lanes.look();
      sender.refill();
    } catch (err) {
      log.warn({ err }, 'the queue of pushes could not be read: retried at the next round');
    }
  });
  function look() {
    if (!stopping) lookOnce();
  }

  const round = oneAtATime(async () => {
    prolonging = sender.keep();
    await prolonging;
    await endExpired().catch((err) =>
      log.warn({ err }, 'expired pushes could not be ended: retried at the next round'),
    );
    await metrics.measure().catch((err) => log.warn({ err }, 'the queue of pushes could not be measured'));
  });
  const sweep = oneAtATime(() =>
    settler
      .sweep()
      .catch((err) =>
        log.warn({ err }, 'outcomes that are not published yet could not be read: retried at the next round'),
      ),
  );
  const endStopped = createStopper({ database, now, leaseMs: settings.leaseMs, stopped });
  const heedStops = oneAtATime(async () => {
    if (stopping) return;
    try {
      const ids = await stoppedRepository(database).find(MOST_STOPPING);
      // First, so that no more sends of these notifications begin.
      sender.heedStops(ids);
      await endStopped(ids);
    } catch (err) {
      log.warn({ err }, 'stopped pushes could not be read: retried at the next round');
    }
  });
  const wake = () => {
    if (stopping) return;
    heedStops();
    expand();
    look();
  };
  const timer = setInterval(() => {
    wake();
    round();
    sweep();
  }, settings.pollMs);
  wake();

  return {
    wake,
    async stop() {
      if (stopping) return;
      stopping = true;
      clearInterval(timer);
      const inTime = Promise.withResolvers<void>();
      const limit = setTimeout(() => {
        settler.giveUp();
        inTime.resolve();
      }, settings.stopMs);
      const done = (async () => {
        for (const lane of lanes.all()) sender.giveBack(lane);
        await Promise.all([
          expand.idle(),
          lookOnce.idle(),
          heedStops.idle(),
          sender.idle(),
          round.idle(),
          sweep.idle(),
        ]);
        for (const lane of lanes.all()) sender.giveBack(lane);
        await sender.sent();
        await settler.drain();
      })();
      await Promise.race([done, inTime.promise]);
      clearTimeout(limit);
    },
  };
}
