// One lane of this worker: the deliveries that it has taken of an app through one provider, and whether it may send.
import { type Judged, pauseMs } from '../domain/verdict.ts';
import type { PushProvider } from '../providers/provider.ts';
import type { DueNotification, LaneId, Taken } from './queue/queue-repository.ts';

/** A delivery that this worker has taken. */
export interface Held {
  readonly taken: Taken;
  /** Null when the notification no longer exists. */
  readonly notification: DueNotification | null;
  leasedUntil: number;
  /** The time when its send began, in milliseconds since 1970. Null before that. */
  begunAt: number | null;
  /** True while its outcome is being stored. In this time, nothing else is done with it. */
  over: boolean;
}

export interface Lane extends LaneId {
  readonly key: string;
  /**
   * The version of the credentials that the lane sends with. Null: there are none. Undefined: they have not been read
   * yet.
   */
  version: number | null | undefined;
  /** Returns the provider for the pushes of the lane. Null when there is no provider. */
  provider: (() => PushProvider) | null;
  /** True when more deliveries may be due. */
  more: boolean;
  /** Deliveries that are taken and not begun. */
  waiting: Held[];
  /** The number of deliveries that are taken and whose outcome is not stored. */
  held: number;
  /** The number of pushes that the provider has not answered yet. */
  underWay: number;
  /** The number of pushes that are begun and whose outcome is not stored. */
  inFlight: number;
  /** The number of refusals that the lane can bear. Each sent push adds to it, and {@link bearing} takes from it. */
  patience: number;
  /** The number of rests in a row. */
  rests: number;
  /** True while the lane rests: the worker takes nothing and sends nothing in it. */
  shut: boolean;
  /** The number of the first look that reads the stored rest. From then on, a look may open the lane again. */
  reopensWith: number;
}

export const laneKey = ({ appId, kind }: LaneId): string => `${appId} ${kind}`;

export const createLane = ({ appId, kind }: LaneId): Lane => ({
  key: laneKey({ appId, kind }),
  appId,
  kind,
  version: undefined,
  provider: null,
  more: false,
  waiting: [],
  held: 0,
  underWay: 0,
  inFlight: 0,
  patience: 0,
  rests: 0,
  shut: false,
  reopensWith: 0,
});

/**
 * The number of sent pushes that make up for one refusal for load, and the maximum number of refusals that sent pushes
 * can make up for.
 */
const SENT_FOR_A_REFUSAL = 20;
const MOST_PATIENCE = 10;

export function wentThrough(lane: Lane): void {
  lane.patience = Math.min(lane.patience + 1 / SENT_FOR_A_REFUSAL, MOST_PATIENCE);
  if (lane.patience >= 1) lane.rests = 0;
}

/**
 * Returns the outcome for the lane. While other pushes go through, a refusal for load concerns this push only: with one
 * refusal in a hundred pushes, not with one in twenty.
 */
export function bearing(lane: Lane, outcome: Judged): Judged {
  if (outcome.kind !== 'wait' || outcome.whom === 'device' || lane.patience < 1) return outcome;
  lane.patience -= 1;
  return { ...outcome, whom: 'device' };
}

/** Counts a rest and returns its length, in milliseconds. */
export function restMs(lane: Lane, retryAfterMs: number | null, random: () => number): number {
  lane.rests++;
  // Never 0, because every worker has to read about the rest.
  return 500 + pauseMs(Math.min(lane.rests, 6), retryAfterMs, random);
}
