// Runs the checks of an app one at a time, and keeps their results for a moment. A check sends requests to hosts whose
// owners may be anyone, so no caller may start many.
import type { App } from '@landfall/contracts';
import { LRUCache } from 'lru-cache';

interface Run<T> {
  version: number;
  /** Null while it runs. */
  endedAt: number | null;
  result: Promise<T>;
}

/** @param freshMs milliseconds for which a result is given again */
export function createCheckRuns<T>(freshMs: number, now: () => Date) {
  const runs = new LRUCache<string, Run<T>>({ max: 1_000 });

  /**
   * Returns the last result if it is fresh, and of the same version of the app. Otherwise runs the check, after a
   * running one. Callers of the same moment share a run.
   */
  async function of(app: Pick<App, 'id' | 'version'>, check: () => Promise<T>): Promise<T> {
    const last = runs.get(app.id);
    if (last?.version === app.version && (last.endedAt === null || now().getTime() - last.endedAt < freshMs))
      return last.result;
    if (last !== undefined && last.endedAt === null) {
      await last.result.catch(() => {});
      return of(app, check);
    }
    const run: Run<T> = { version: app.version, endedAt: null, result: check() };
    runs.set(app.id, run);
    try {
      const result = await run.result;
      run.endedAt = now().getTime();
      return result;
    } catch (error) {
      runs.delete(app.id);
      throw error;
    }
  }

  return { of };
}
