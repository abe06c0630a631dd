// Work that a console does again and again, beside its requests.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@landfall/runtime';

/**
 * Does the work, rests, and does it again. A failure is logged, and the next time does what is left.
 * @param of.firstMs how long it rests before the first time. By default it begins at once
 * @param of.failed the line of the log for a failure
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  { firstMs = 0, restMs, log, failed }: { firstMs?: number; restMs: number; log: Logger; failed: string },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {});
  async function run(): Promise<void> {
    if (firstMs > 0) await rest(firstMs);
    while (!signal.aborted) {
      await work(signal).catch((err: unknown) => log.warn({ err }, failed));
      await rest(restMs);
    }
  }
  const running = run();
  return {
    /** Resolves when the work that began has ended. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
