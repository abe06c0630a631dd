// Messages on their way in this process, and the waits of their callers: until all resulting work is committed.
import { NoAnswer } from '../port.ts';
import type { Carried, Receiver } from '../receiver.ts';

export interface Item extends Carried {
  readonly wait: Wait;
  /** True when the message counts towards the queue's limit. Events of a commit do not count. */
  readonly outside: boolean;
  /** True for a replayed dead letter: its wait then learns that it failed again. */
  readonly redelivered?: true;
}

export const toWaiting: Pick<Receiver<Item>, 'stale' | 'failed' | 'abandoned'> = {
  stale: ({ wait }) => wait.over,
  failed: ({ wait }, error) => failWait(wait, error),
  abandoned: ({ wait }, error) => endEarly(wait, error),
};

export interface Wait {
  /** The number of outstanding deliveries: the handler, then the listeners of its events. */
  pending: number;
  /** Set once the handler has committed. At the deadline the caller gets it, though listeners are outstanding. */
  answer: unknown;
  /** True when the wait has ended: answered, failed or past its deadline. */
  over: boolean;
  readonly name: string;
  readonly timeoutMs: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Returns a promise, and passes `begin` the wait that settles it, with one delivery. The timer starts at once. */
export function waitFor<T>(name: string, timeoutMs: number, begin: (wait: Wait) => void): Promise<T> {
  return new Promise((accept, reject) => {
    const resolve = accept as (answer: unknown) => void;
    const wait: Wait = {
      pending: 1,
      answer: undefined,
      over: false,
      name,
      timeoutMs,
      resolve,
      reject,
      timer: undefined,
    };
    wait.timer = setTimeout(timeIsUp, timeoutMs, wait);
    begin(wait);
  });
}

export function oneDone(wait: Wait): void {
  wait.pending--;
  if (wait.pending > 0 || wait.over) return;
  end(wait);
  wait.resolve(wait.answer);
}

export function failWait(wait: Wait, error: Error): void {
  if (wait.over) return;
  end(wait);
  wait.reject(error);
}

/** Ends the wait before all deliveries are done. A caller whose handler has committed gets the answer. */
function endEarly(wait: Wait, error: Error): void {
  if (wait.over) return;
  end(wait);
  if (wait.answer !== undefined) wait.resolve(wait.answer);
  else wait.reject(error);
}

const timeIsUp = (wait: Wait) =>
  endEarly(wait, new NoAnswer(`${wait.name}: nothing came back within ${wait.timeoutMs} ms`));

function end(wait: Wait): void {
  wait.over = true;
  clearTimeout(wait.timer);
}
