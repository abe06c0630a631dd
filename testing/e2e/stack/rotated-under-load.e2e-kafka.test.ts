// Rotates a key while it is in use through two gateways. During the overlap no request with either key fails. Every
// request with the old key fails if it starts more than a second after the end of the overlap.
import { setTimeout as pace } from 'node:timers/promises';
import { describeScaledOut, freshIp, type System, send, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { post } from '../calls.ts';

const OVERLAP_SECONDS = 3;
const WITHIN_MS = 1_000;
/** Milliseconds for which requests continue after the gateways must refuse the old key. */
const AFTERWARDS_MS = 1_500;
/** The number of concurrent callers for each key at each gateway. */
const AT_ONCE = 1;
/**
 * Milliseconds between two requests of a caller. A server key has 600 requests a minute, over all gateways together.
 */
const PACE_MS = 80;

interface TimedRequest {
  began: number;
  ended: number;
  status: number;
}

const stack = inject('stack');
describeScaledOut('a key under load', () => {
  let system: System;
  let app: TestApp;
  beforeAll(async () => {
    system = await startSystem();
    app = await system.makeApp();
  });
  afterAll(() => system?.stop());

  /** Makes links with the key through every gateway, at a steady pace, until `stop` is called. */
  function use(key: string) {
    const asked: TimedRequest[] = [];
    let stopping = false;
    async function caller(port: number): Promise<void> {
      while (!stopping) {
        const began = system.clock();
        // Each request uses a fresh address, because a mobile key has 10 requests a minute for each address.
        const headers = { host: 'api.test', 'x-forwarded-for': freshIp(), 'x-service-sdk-key': key };
        const body = { destination: '/a' };
        const { status } = await send(port, { method: 'POST', path: '/api/links/create-sdk', headers, body });
        asked.push({ began, ended: system.clock(), status });
        await pace(PACE_MS);
      }
    }
    const callers = stack.ports.flatMap((port) => Array.from({ length: AT_ONCE }, () => caller(port)));
    return {
      asked,
      async stop() {
        stopping = true;
        await Promise.all(callers);
      },
    };
  }

  it('is rotated without a failure, and is gone in time, whatever its kind', async () => {
    await Promise.all(['mobile', 'server'].map(rotate));
  });

  async function rotate(kind: string) {
    const keys = `/api/manage/apps/${app.app.id}/keys`;
    const made = await system.manage(post(keys, { kind }));
    await system.settled();
    const old = use(made.json.plaintext);
    const soon = { timeout: 20_000, interval: 50 };
    await expect.poll(() => old.asked.length, soon).toBeGreaterThan(20);
    const path = `${keys}/${made.json.key.id}/rotate`;
    const rotated = await system.manage(post(path, { overlapSeconds: OVERLAP_SECONDS }));
    expect(rotated.status, rotated.text).toBe(200);
    const next = use(rotated.json.plaintext);
    const end = Date.parse(rotated.json.replaced.expiresAt);
    await expect.poll(() => system.clock(), soon).toBeGreaterThan(end + WITHIN_MS + AFTERWARDS_MS);
    await Promise.all([old.stop(), next.stop()]);

    const statuses = (some: TimedRequest[]) => [...new Set(some.map(({ status }) => status))];
    // The gateways refuse the key from the exact end of the overlap.
    const during = old.asked.filter(({ ended }) => ended < end);
    const after = old.asked.filter(({ began }) => began > end + WITHIN_MS);
    console.info(`${during.length} until the end of the overlap, ${after.length} after it, ${next.asked.length} anew`);
    for (const some of [during, after, next.asked]) expect(some.length).toBeGreaterThan(10);
    expect(statuses(during)).toEqual([200]);
    expect(statuses(next.asked)).toEqual([200]);
    expect(statuses(after)).toEqual([401]);
  }
});
