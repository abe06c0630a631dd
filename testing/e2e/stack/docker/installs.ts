// Simulates people with iPhones who tap a link, install the app, and get the destination back. Several people do so at
// a time.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freshIp, IPHONE } from '@landfall/testkit';
import { expect } from 'vitest';
import { type Answered, type Balancer, failureOf, persist, type Shop, THINKING_MS } from '../load.ts';

/**
 * Milliseconds within which a tap must be stored. A tap is stored after its answer. After an outage it is stored
 * shortly after the service is back.
 */
const STORED_WITHIN_MS = 30_000;
/**
 * Milliseconds until a device asks again for the first time. The wait doubles each time, because an address may ask 20
 * times a minute.
 */
const ASK_AGAIN_MS = 50;

export interface Installs {
  /** Resolves when `count` more installs have got their destination. Rejects when an install has not. */
  rounds(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param options.people the number of installs at a time
 * @param options.again whether a request that gets 503 is repeated unchanged until it gets another status
 */
export function startInstalls(
  { create, tap, heartbeat, restore }: Balancer,
  shop: Shop,
  { people = 1, again = false }: { people?: number; again?: boolean } = {},
): Installs {
  let done = 0;
  let stopping = false;
  let next = Promise.withResolvers<void>();
  /** The time of the last 503 answer, in milliseconds. */
  let awayAt = 0;

  async function insist(ask: () => Promise<Answered>): Promise<Answered> {
    const answer = await persist(ask, again, () => {
      awayAt = Date.now();
    });
    if (answer.status === 200) return answer;
    throw new Error(failureOf(answer));
  }

  async function install(): Promise<void> {
    const [ip, device, idempotency] = [freshIp(), randomUUID(), randomUUID()];
    const { link } = (await insist(() => create(shop, '/welcome?by=ann', ip, idempotency))).json;
    await insist(() => tap(link.url, ip, IPHONE));
    await insist(() => heartbeat(shop, device, ip));
    const installedAt = Date.now();
    for (let wait = ASK_AGAIN_MS; ; wait *= 2) {
      const { restoredLinks } = (await insist(() => restore(shop, device, ip))).json;
      const until = Math.max(installedAt, awayAt) + STORED_WITHIN_MS;
      if (restoredLinks.length === 0 && Date.now() + wait < until) {
        await pause(wait);
        continue;
      }
      expect(restoredLinks).toMatchObject([{ linkId: link.id, destination: '/welcome?by=ann' }]);
      return;
    }
  }

  async function go(): Promise<void> {
    while (!stopping) {
      await install();
      done++;
      next.resolve();
      next = Promise.withResolvers();
      await pause(THINKING_MS);
    }
  }

  const going = Promise.all(Array.from({ length: people }, go));
  // Callers get the error from `rounds` or `stop`.
  going.catch(() => {});
  return {
    async rounds(count) {
      const until = done + count;
      while (done < until) await Promise.race([next.promise, going]);
    },
    async stop() {
      stopping = true;
      await going;
    },
  };
}
