// A stop by signal reaches more than us: a supervisor tells every process of the product, and the servers that it runs on. That
// these go away then is no news. Which of them hears it first, nobody knows.
import type { Logger } from './logging/logger.ts';

/** Milliseconds before the signal in which the loss of a server may be noticed. */
const BEFORE_SIGNAL_MS = 500;

let stopping = false;
const untold = new Set<() => void>();

/** Called once a signal has told this process to stop. */
export function beginStopping(): void {
  stopping = true;
  untold.clear();
}

/** Calls `tell` in half a second, or when the process ends, unless a signal tells this process to stop by then or has done so. */
export function unlessStopping(tell: () => void): void {
  if (stopping) return;
  if (untold.size === 0) process.once('exit', tellAll);
  const once = () => tell();
  untold.add(once);
  setTimeout(() => {
    if (!untold.delete(once)) return;
    if (untold.size === 0) process.off('exit', tellAll);
    tell();
  }, BEFORE_SIGNAL_MS).unref();
}

function tellAll(): void {
  for (const tell of untold) tell();
  untold.clear();
}

/**
 * The same logger, whose warnings are written half a second later: those about a stop by signal are debug lines. Errors, which
 * somebody must act on, are written at once and always.
 */
export function calmAtStop(log: Logger): Logger {
  const warn = (...line: [object, string]) => {
    if (stopping) log.debug(...line);
    else unlessStopping(() => log.warn(...line));
  };
  return Object.create(log, { warn: { value: warn } });
}
