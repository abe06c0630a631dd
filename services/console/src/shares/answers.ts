// Keeps answers for viewers for a minute, so that a share that many people open costs as much as one of them.
import { LRUCache } from 'lru-cache';

const KEPT_MS = 60_000;
const MOST = 1_000;

export function createAnswers(now: () => Date) {
  const kept = new LRUCache<string, { at: number; answer: Promise<unknown> }>({ max: MOST });
  return {
    /** Returns the answer to a question, which the key names. The same question at the same time is asked once. */
    get<A>(key: string, ask: () => Promise<A>): Promise<A> {
      const at = now().getTime();
      const known = kept.get(key);
      if (known && at - known.at < KEPT_MS) return known.answer as Promise<A>;
      const entry = { at, answer: ask() };
      kept.set(key, entry);
      entry.answer.catch(() => {
        if (kept.peek(key) === entry) kept.delete(key);
      });
      return entry.answer;
    },
  };
}
