// Watches whether a consumer still fetches. A frozen broker keeps its connections and answers nothing, and kafkajs goes
// on asking it although another broker leads by now.
import type { Consumer } from 'kafkajs';

export interface FetchWatch {
  /** Milliseconds since any broker sent something. */
  silentMs(): number;
  /** True when one broker hangs while others answer. */
  hangs(): boolean;
}

/** A fetch waits half a second for messages, and kafkajs gives a request up after 5 s. */
const HANGS_MS = 8_000;
/** A broker that is gone is not asked again and again. */
const STILL_ASKED_MS = 7_000;

export function watchFetches(consumer: Consumer): FetchWatch {
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
    hangs() {
      const now = Date.now();
      // When nobody answers, all of them are away, and a consumer made anew could do no better.
      if (now - answered > 2_000) return false;
      return [...open.values()].some(({ since, asked }) => now - since > HANGS_MS && now - asked < STILL_ASKED_MS);
    },
  };
}
