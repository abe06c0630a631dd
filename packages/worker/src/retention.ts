// The one job that deletes: what is past its time goes, an hour after it could, a little at a time.
import type { Logger } from '@landfall/runtime';

/** Deletes what is past its time at `now`, and gives how many of each kind. Any number of processes may do it at once. */
export type DeleteExpired = (now: Date) => Promise<object>;

const EVERY_MS = 3_600_000;

export function startRetention(deleteExpired: DeleteExpired, log: Logger): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = runRetention(deleteExpired, new Date(), log);
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** One run. A failure is logged, and the next run does what this one did not. */
export async function runRetention(deleteExpired: DeleteExpired, now: Date, log: Logger): Promise<void> {
  try {
    const deleted = await deleteExpired(now);
    if (Object.values(deleted).some((count) => count > 0)) log.info(deleted, 'expired rows were deleted');
  } catch (err) {
    log.error({ err }, 'expired rows could not be deleted');
  }
}
