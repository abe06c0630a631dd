// Logs taps that could not be answered. In an outage nearly every tap is one, so they share a line.
import { Busy, NoAnswer } from '@landfall/bus';
import type { Logger } from '@landfall/runtime';

const EVERY_MS = 60_000;

/**
 * Returns a function that logs a tap. While no service answers, it logs the first tap at once and the number of the others
 * after a minute. Any other error has a line for each tap.
 */
export function unansweredTaps(log: Logger): (error: unknown, requestId: unknown) => void {
  let timer: NodeJS.Timeout | undefined;
  let others = 0;
  return (error, requestId) => {
    const isOutage = error instanceof Busy || error instanceof NoAnswer;
    if (isOutage && timer !== undefined) {
      others++;
      return;
    }
    log.warn({ err: error, requestId }, 'a tap could not be answered');
    if (!isOutage) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (others > 0) log.warn({ taps: others }, 'more taps could not be answered in the last minute');
      others = 0;
    }, EVERY_MS).unref();
  };
}
