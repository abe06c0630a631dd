// A supervisor sends a signal to every process of the product, and to the servers that it runs on, in unknown order.
// The loss of these servers is then expected.
import type { Logger } from './logging/logger.ts';

/** Milliseconds before the signal in which this process may notice the loss of a server. */
const BEFORE_SIGNAL_MS = 500;

let stopping = false;
const waiting = new Set<() => void>();

export function beginStopping(): void {
  stopping = true;
  waiting.clear();
}

export const isStopping = (): boolean => stopping;

/** Calls `tell` after half a second, or at the process's end before, but not when a signal has come by then. */
export function unlessStopping(tell: () => void): void {
  if (stopping) return;
  if (waiting.size === 0) process.once('exit', tellAll);
  const once = () => tell();
  waiting.add(once);
  setTimeout(() => {
    if (!waiting.delete(once)) return;
    if (waiting.size === 0) process.off('exit', tellAll);
    tell();
  }, BEFORE_SIGNAL_MS).unref();
}

function tellAll(): void {
  for (const tell of waiting) tell();
  waiting.clear();
}

/**
 * Writes warnings half a second later. When a signal stops the process, waiting ones are dropped, and later ones become
 * debug lines. Errors are always written at once, because an operator must act on them.
 */
export function calmAtStop(log: Logger): Logger {
  const warn = (...line: [object, string]) => {
    if (stopping) log.debug(...line);
    else unlessStopping(() => log.warn(...line));
  };
  return Object.create(log, { warn: { value: warn } });
}
