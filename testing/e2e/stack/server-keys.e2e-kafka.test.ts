// A backend starts to use a gateway after its address has used up its rate limit at another gateway.
import { describeScaledOut, freshIp, type Sent, type System, send, startSystem } from '@landfall/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { post } from '../calls.ts';

const stack = inject('stack');
describeScaledOut('a server key', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system?.stop());

  it('is met by each gateway, whatever its address did at the others', async () => {
    const app = await system.makeApp();
    const made = await system.manage(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
    const headers = { host: 'api.test', 'x-forwarded-for': freshIp() };
    const createWith = (key: string): Sent => ({
      method: 'POST',
      path: '/api/links/create-sdk',
      headers: { ...headers, 'x-service-sdk-key': key },
      body: { destination: '/a' },
    });
    const [here, there] = stack.ports as [number, number];
    const statuses: number[] = [];
    for (let n = 1; n <= 11; n++) statuses.push((await send(here, createWith(app.key))).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);

    const calling = Array.from({ length: 30 }, () => send(there, createWith(made.json.plaintext)));
    const answers = await Promise.all(calling);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // A mobile key is still refused at this gateway.
    expect((await send(there, createWith(app.key))).status).toBe(429);
  });
});
