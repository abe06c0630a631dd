// A message on its way to one receiver of this process.
import type { TraceHeaders } from '../observer.ts';
import type { Carried, Receiver } from '../receiver.ts';
import { endEarly, failWait, type Wait } from './wait.ts';

export interface Item extends Carried {
  /** The trace that it was sent in. */
  readonly trace: TraceHeaders | undefined;
  readonly wait: Wait;
  /** Counts for the queue's bound; events of a commit do not. */
  readonly outside: boolean;
}

/** Work that all receivers of this process do alike for a waiting caller. */
export const toWaiting: Pick<Receiver<Item>, 'stale' | 'failed' | 'abandoned'> = {
  stale: ({ wait }) => wait.over,
  failed: ({ wait }, error) => failWait(wait, error),
  abandoned: ({ wait }, error) => endEarly(wait, error),
};
