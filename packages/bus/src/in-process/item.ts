// A message on its way to one receiver of this process.
import type { TraceHeaders } from '../observer.ts';
import type { Carried, Receiver } from '../receiver.ts';
import { endEarly, failWait, type Wait } from './wait.ts';

export interface Item extends Carried {
  /** The headers of the trace in which the message was sent. */
  readonly trace: TraceHeaders | undefined;
  readonly wait: Wait;
  /** True when the message counts towards the queue's limit. Events of a commit do not count. */
  readonly outside: boolean;
  /** True for a replayed dead letter: its wait then learns that it failed again. */
  readonly redelivered?: true;
}

/** The functions for a waiting caller that all receivers of this process share. */
export const toWaiting: Pick<Receiver<Item>, 'stale' | 'failed' | 'abandoned'> = {
  stale: ({ wait }) => wait.over,
  failed: ({ wait }, error) => failWait(wait, error),
  abandoned: ({ wait }, error) => endEarly(wait, error),
};
