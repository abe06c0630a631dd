// Work that a console does again and again, beside its requests.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@landfall/runtime';

/**
 * Does the work, rests, and does it again. A failure is logged, and the next time does what is left.
 * @param failed what the log says of a failure
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  { restMs, log, failed }: { restMs: number; log: Logger; failed: string },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((err: unknown) => log.warn({ err }, failed));
      await delay(restMs, undefined, { signal, ref: false }).catch(() => {});
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
