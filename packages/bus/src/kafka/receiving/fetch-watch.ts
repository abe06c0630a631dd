// Watches whether a consumer still fetches. A frozen broker keeps its connections and answers nothing. kafkajs keeps
// sending requests to it, although another broker leads by now.
import type { Consumer } from 'kafkajs';

export type FetchWatch = ReturnType<typeof watchFetches>;

/** Milliseconds without an answer after which a broker hangs. kafkajs gives up a request after 4 s. */
const HANGS_MS = 8_000;
/** Milliseconds. A broker that is gone does not hang: kafkajs sends it no more requests. */
const STILL_ASKED_MS = 7_000;

export function watchFetches(consumer: Consumer) {
  const open = new Map<number, { since: number; asked: number }>();
  let answered = Date.now();
  consumer.on(consumer.events.FETCH_START, ({ payload: { nodeId } }) => {
    const now = Date.now();
    open.set(nodeId, { since: open.get(nodeId)?.since ?? now, asked: now });
  });
  consumer.on(consumer.events.FETCH, ({ payload: { nodeId } }) => {
    answered = Date.now();
    open.delete(nodeId);
  });
  consumer.on(consumer.events.GROUP_JOIN, () => open.clear());
  return {
    silentMs: () => Date.now() - answered,
    hangs(): boolean {
      const now = Date.now();
      // When no broker answers, all of them are away. A new consumer would not help.
      if (now - answered > 2_000) return false;
      return [...open.values()].some(({ since, asked }) => now - since > HANGS_MS && now - asked < STILL_ASKED_MS);
    },
  };
}
