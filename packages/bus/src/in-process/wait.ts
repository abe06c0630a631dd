// The wait of a caller of `ask` or `tell`. It ends when all resulting work is committed, or at the deadline.
import { NoAnswer } from '../port.ts';

export interface Wait {
  /** The number of outstanding deliveries: the handler, then the listeners of its events. */
  pending: number;
  /**
   * Set once the handler has committed. From then on, the caller gets this answer at the deadline, even if listeners
   * are still outstanding.
   */
  answer: unknown;
  /** True when the wait has ended: answered, failed or past its deadline. */
  over: boolean;
  readonly name: string;
  readonly timeoutMs: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Returns a promise, and passes `begin` the wait that settles it. The timer starts at once. */
export function waitFor<T>(name: string, pending: number, timeoutMs: number, begin: (wait: Wait) => void): Promise<T> {
  return new Promise((accept, reject) => {
    const resolve = accept as (answer: unknown) => void;
    const wait: Wait = { pending, answer: undefined, over: false, name, timeoutMs, resolve, reject, timer: undefined };
    wait.timer = setTimeout(timeIsUp, timeoutMs, wait);
    begin(wait);
  });
}

/** Counts one outstanding delivery as finished. */
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

/**
 * Ends the wait before all deliveries are finished. The caller gets the answer if the handler has committed, else the
 * error.
 */
export function endEarly(wait: Wait, error: Error): void {
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
