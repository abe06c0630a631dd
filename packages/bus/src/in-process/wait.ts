// Somebody who waits for an ask or a tell: until everything that follows from it is committed, or until the deadline.
import { NoAnswer } from '../port.ts';

export interface Wait {
  /** The number of outstanding deliveries: the handler, then the listeners of its events. */
  pending: number;
  /** Set once the handler has committed. From then on the deadline gives it, whoever is still outstanding. */
  answer: unknown;
  /** The waiting has ended: answered, failed or past its deadline. */
  over: boolean;
  readonly name: string;
  readonly timeoutMs: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

/** A promise, and whoever settles it. The timer runs from here on. */
export function waitFor<T>(name: string, pending: number, timeoutMs: number, begin: (wait: Wait) => void): Promise<T> {
  return new Promise((accept, reject) => {
    const resolve = accept as (answer: unknown) => void;
    const wait: Wait = { pending, answer: undefined, over: false, name, timeoutMs, resolve, reject, timer: undefined };
    wait.timer = setTimeout(timeIsUp, timeoutMs, wait);
    begin(wait);
  });
}

/** One of the outstanding deliveries is through. */
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

/** The waiting ends before everything is through: with the answer if the handler has committed, else with the error. */
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
