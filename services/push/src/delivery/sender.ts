// Works on this worker's share of the queue: takes deliveries as the lanes allow (`taking.ts`), sends them, and passes
// outcomes to the settler.
import type { Log } from '@landfall/bus';
import type { PushOutcome } from '../domain/outcomes.ts';
import { givenUp, type Judged, MOST_ATTEMPTS, type NextStep, released, STOPPED, verdictOf } from '../domain/verdict.ts';
import type { PushProvider } from '../providers/provider.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { createGoodPayloads } from './good-payloads.ts';
import { createInFlight } from './in-flight.ts';
import { bearing, type Held, type Lane, restMs, wentThrough } from './lane.ts';
import type { Lanes } from './lanes.ts';
import { oneAtATime } from './queue/one-at-a-time.ts';
import type { Settlement } from './queue/settlement-repository.ts';
import { createTaking } from './queue/taking.ts';
import type { Shared } from './settings.ts';
import type { Settler } from './settle.ts';
import { sharesOf, type Wanted } from './shares.ts';

export interface SenderParts extends Shared {
  readonly random: () => number;
  readonly lanes: Lanes;
  readonly settler: Settler;
  readonly attempted: DeliveryMetrics['attempted'];
}

export function createSender(parts: SenderParts) {
  const { database, log, now, random, settings, lanes, settler, stopped } = parts;
  const payloads = createGoodPayloads(database);
  const taking = createTaking({ ...parts, payloads });
  const held = new Set<Held>();
  const inFlight = createInFlight(settings, lanes);
  /** The stopped notifications that still have queued deliveries. */
  let stopping: ReadonlySet<string> = new Set();
  /** The maximum number of sends under way in one lane, for the present number of lanes. */
  let mostOfALane = settings.mostUnderWay;

  /** Takes more deliveries for every lane that soon has nothing to send. */
  const refill = oneAtATime(async () => {
    while (!stopped()) {
      const { wanted, mostUnderWay } = sharesOf(lanes.all(), held.size, settings);
      mostOfALane = mostUnderWay;
      if (wanted.length === 0) return;
      try {
        await take(wanted);
      } catch (err) {
        log.warn({ err }, 'pushes could not be taken from the queue: retried at the next round');
        for (const { lane } of wanted) lane.more = false;
        return;
      }
    }
  });

  async function take(wanted: readonly Wanted[]): Promise<void> {
    const byLane = await taking.take(wanted);
    for (const { lane, most } of wanted) {
      const got = byLane.get(lane.key) ?? [];
      if (got.length < most) lane.more = false;
      for (const mine of got) {
        held.add(mine);
        lane.held++;
        lane.waiting.push(mine);
      }
      // The lane was shut, or this worker stopped, while the deliveries were fetched.
      if (stopped() || lane.shut) giveBack(lane);
      else send(lane);
    }
  }

  /** Begins as many sends as the lane allows. */
  function send(lane: Lane): void {
    const provider = lane.provider?.() ?? null;
    while (lane.waiting.length > 0 && !stopped() && !lane.shut) {
      if (provider && !inFlight.hasRoom(lane, provider.atOnce, mostOfALane)) break;
      const one = lane.waiting.shift()!;
      const at = now();
      const reason = whyNot(one, at, stopping.has(one.taken.notificationId)) ?? (provider ? null : 'no-credentials');
      if (one.leasedUntil <= at.getTime()) forget(lane, one);
      else if (reason) finish(lane, one, givenUp(one.taken, reason));
      else void sendOne(lane, provider!, one, at.getTime());
    }
  }

  async function sendOne(lane: Lane, provider: PushProvider, one: Held, at: number): Promise<void> {
    const { version } = lane;
    one.begunAt = at;
    inFlight.begin(lane);
    const outcome = await attempt(provider, one, log);
    inFlight.answered(lane);
    // A send that took too long already has its outcome.
    if (!one.over) conclude(lane, one, outcome, version);
    sendMore(lane);
    if (lane.more && lane.waiting.length < provider.atOnce) refill();
  }

  /** Begins more sends after a place became free. */
  function sendMore(lane: Lane): void {
    send(lane);
    for (const other of inFlight.crowded()) send(other);
  }

  function conclude(lane: Lane, one: Held, said: PushOutcome, version: Lane['version']): void {
    const at = now();
    const outcome = bearing(lane, payloads.judge(one, said));
    parts.attempted(lane.kind, outcome);
    if (outcome.kind === 'sent') {
      wentThrough(lane);
      if (!outcome.logged) payloads.taken(one);
    }
    // The lane rests once for all pushes that were under way.
    const waits = outcome.kind === 'wait' && outcome.whom === 'all' && !lane.shut;
    if (typeof version === 'number' && version === lane.version && (waits || outcome.kind === 'pause')) {
      const waitUntil = waits ? new Date(at.getTime() + restMs(lane, outcome.retryAfterMs, random)) : null;
      rest(lane, version, waitUntil, outcome.kind === 'pause' ? outcome.reason : null);
    }
    const next = verdictOf({ ...one.taken, expiresAt: one.notification!.expiresAt }, outcome, at, random);
    if (next.state !== 'sent' && next.state !== 'logged') logUnsent(log, one, outcome, next);
    finish(lane, one, next, outcome.kind === 'drop' ? outcome : null);
  }

  /** The lane sends nothing more until a look finds it open. That look must begin after the rest is stored. */
  function rest(lane: Lane, version: number, waitUntil: Date | null, pausedFor: string | null): void {
    const { appId, kind } = lane;
    if (pausedFor !== null && !lane.shut) {
      log.error({ appId, kind, reason: pausedFor }, 'a provider refuses the credentials of an app: its pushes wait');
    }
    const written = lanes.rest(lane);
    settler.stopLane({ appId, kind, version, waitUntil, pausedFor }, written);
    giveBack(lane);
  }

  /** Gives back the deliveries that a lane has taken and not begun to send. */
  function giveBack(lane: Lane): void {
    for (const one of lane.waiting.splice(0)) finish(lane, one, released(one.taken, now()));
  }

  function finish(lane: Lane, one: Held, verdict: Settlement['verdict'], drop: Settlement['drop'] = null): void {
    one.over = true;
    settler.add({ taken: one.taken, verdict, drop }, () => {
      forget(lane, one);
      if (one.begunAt !== null) {
        inFlight.stored(lane);
        sendMore(lane);
      }
      if (lane.more) refill();
    });
  }

  function forget(lane: Lane, one: Held): void {
    if (held.delete(one)) lane.held--;
  }

  /** Prolongs the leases of what this worker still holds, and ends sends that take too long. Never rejects. */
  async function keep(): Promise<void> {
    const at = now().getTime();
    for (const one of held) {
      if (!one.over && one.begunAt !== null && at - one.begunAt > settings.longestSendMs)
        conclude(lanes.find(one.taken)!, one, { kind: 'unknown', reason: 'no-answer' }, null);
    }
    await taking.prolong(held);
  }

  return {
    refill,
    giveBack,
    keep,
    /** Sends nothing more of these notifications. */
    heedStops(ids: readonly string[]): void {
      stopping = new Set(ids);
    },
    underWay: inFlight.underWay,
    /** Resolves when no deliveries are being taken. */
    idle: refill.idle,
    sent: inFlight.sent,
  };
}

/** Returns the reason why the push must not be sent. Null when it may be sent. */
function whyNot({ taken, notification }: Held, now: Date, isStopped: boolean): string | null {
  if (isStopped) return STOPPED;
  if (taken.dropped || taken.token === null) return 'token-dropped';
  if (!notification || notification.expiresAt <= now) return 'expired';
  // The workers stopped during these attempts, so no outcome was stored.
  if (taken.attempts > MOST_ATTEMPTS) return 'gave-up';
  return null;
}

/** Never rejects. */
async function attempt(provider: PushProvider, { taken, notification }: Held, log: Log): Promise<PushOutcome> {
  const { message, expiresAt } = notification!;
  try {
    return await provider.send({ ...taken, token: taken.token!, message, expiresAt });
  } catch (err) {
    log.error({ err, delivery: taken.id }, 'a provider failed unexpectedly while it sent a push');
    return { kind: 'unknown', reason: 'broken' };
  }
}

function logUnsent(log: Log, { taken }: Held, outcome: Judged, next: NextStep): void {
  const { appId, kind, attempts, id: delivery, notificationId: notification } = taken;
  log.debug({ appId, notification, delivery, kind, attempts, outcome: outcome.kind, ...next }, 'a push was not sent');
}
