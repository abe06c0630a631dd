// Reports the last use of tokens and sessions. It reports rarely, and never delays a request.
import type { Bus } from '@landfall/bus';
import { SessionUsed, TokenUsed } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import type { Uses } from './principal.ts';

const MINUTE_MS = 60_000;

/** Reports at most once a minute for each token, and once in five minutes for each session. */
export const callerUses = (bus: Bus, log: Logger, now: () => Date): Uses => ({
  token: rarely(MINUTE_MS, log, now, (tokenId) => bus.tell(TokenUsed, { tokenId })),
  session: rarely(5 * MINUTE_MS, log, now, (sessionId) => bus.tell(SessionUsed, { sessionId })),
});

function rarely(everyMs: number, log: Logger, now: () => Date, tell: (id: string) => Promise<void>) {
  const toldAt = new LRUCache<string, number>({ max: 10_000 });
  return (id: string): void => {
    const at = now().getTime();
    if (at - (toldAt.get(id) ?? -Infinity) < everyMs) return;
    toldAt.set(id, at);
    tell(id).catch((error: unknown) => log.debug({ err: error, id }, 'a use of a session or token was not recorded'));
  };
}
