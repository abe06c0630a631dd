// One lane of this worker: what it has taken of an app's deliveries through one provider, and whether it may send.
import type { PushKind } from '@landfall/contracts';
import { pauseMs } from '../domain/verdict.ts';
import type { PushProvider } from '../providers/provider.ts';
import type { DueNotification, LaneId, Taken } from './queue/queue-repository.ts';

/** A delivery that this worker has. */
export interface Held {
  readonly taken: Taken;
  /** Null when the notification is gone. */
  readonly notification: DueNotification | null;
  leasedUntil: number;
  /** When its send began. */
  begunAt: number | null;
  /** True while its outcome is being written. Nothing else is done with it meanwhile. */
  over: boolean;
}

export interface Lane extends LaneId {
  readonly key: string;
  /** Of the credentials that it sends with; null: there are none; undefined: nobody has looked. */
  version: number | null | undefined;
  /** Gives what takes its pushes; null when nothing does. */
  provider: (() => PushProvider) | null;
  /** True when more may be due. */
  more: boolean;
  /** Taken and not begun. */
  waiting: Held[];
  /** Taken and not written down. */
  held: number;
  /** The provider has not answered yet. */
  underWay: number;
  /** Begun, and the outcome is not stored. */
  inFlight: number;
  /** Pushes that were sent count towards it, refusals take from it: see {@link bearsRefusal}. */
  patience: number;
  /** Rests in a row. */
  rests: number;
  /** It rests: nothing is taken and nothing sent. */
  shut: boolean;
  /** The first look that sees what was written about its rest, and may find it open again. */
  reopensWith: number;
}

export const laneKey = (appId: string, kind: PushKind): string => `${appId} ${kind}`;

export const createLane = ({ appId, kind }: LaneId): Lane => ({
  key: laneKey(appId, kind),
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

/** Pushes that go through for each that a provider may refuse for its load, and how many refusals they may earn. */
const SENT_FOR_A_REFUSAL = 20;
const MOST_PATIENCE = 10;

export function wentThrough(lane: Lane): void {
  lane.patience = Math.min(lane.patience + 1 / SENT_FOR_A_REFUSAL, MOST_PATIENCE);
  if (lane.patience >= 1) lane.rests = 0;
}

/**
 * Returns true when the lane goes on although the provider refused a push for its load. One in a hundred is no reason
 * to hold up the other ninety-nine; one in twenty is.
 */
export function bearsRefusal(lane: Lane): boolean {
  if (lane.patience < 1) return false;
  lane.patience -= 1;
  return true;
}

/** For how long it rests, in milliseconds. */
export function restMs(lane: Lane, retryAfterMs: number | null, random: () => number): number {
  lane.rests++;
  // Never nothing: every worker has to hear of it.
  return 500 + pauseMs(Math.min(lane.rests, 6), retryAfterMs, random);
}
