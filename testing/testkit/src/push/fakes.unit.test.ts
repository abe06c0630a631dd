// Requests to the fakes by hand, which neither library would send.
import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Behaviours } from './behaviour.ts';
import { type FakesApart, startFakesApart } from './fakes.ts';

let fakes: FakesApart;

beforeAll(async () => {
  fakes = await startFakesApart({ fcm: { latencyMs: 1 } });
}, 30_000);
afterAll(() => fakes.close());

async function post(path: string, body: string, headers = {}): Promise<{ status: number; body: unknown }> {
  const agent = new Agent({ ca: fakes.ca });
  const asked = request(`${fakes.fcmUrl}${path}`, { method: 'POST', agent, headers });
  asked.end(body);
  const [response] = await once(asked, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  agent.destroy();
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

test('in a process of their own they say where they are, and what they saw', async () => {
  expect(fakes).toMatchObject({
    fcmUrl: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    apnsUrl: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    serviceAccount: { type: 'service_account' },
    appleKey: { bundleId: 'com.example.shop' },
  });
  expect(await fakes.counts()).toMatchObject({ fcm: {}, apns: {} });
  expect(await fakes.received('apns')).toEqual([]);
});

test('no access token without a signature, and no push without an access token', async () => {
  expect(await post('/token', 'assertion=a.b.c')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const { project_id } = fakes.serviceAccount;
  const path = `/v1/projects/${project_id}/messages:send`;
  expect(await post(path, '{}', { authorization: 'Bearer made-up' })).toMatchObject({
    status: 401,
    body: { error: { status: 'UNAUTHENTICATED' } },
  });
  expect(await post('/v1/other', '{}')).toMatchObject({ status: 404 });
});

test('Apple asks for a signature, too', async () => {
  const session = connect(fakes.apnsUrl, { ca: fakes.ca });
  const answers: unknown[] = [];
  for (const authorization of ['', 'bearer a.b.c']) {
    const stream = session.request({ ':method': 'POST', ':path': `/3/device/${'e'.repeat(64)}`, authorization });
    stream.end('{}');
    const [headers] = await once(stream, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    answers.push([headers[':status'], JSON.parse(Buffer.concat(chunks).toString())]);
  }
  session.close();
  expect(answers).toEqual([
    [403, { reason: 'MissingProviderToken' }],
    [403, { reason: 'InvalidProviderToken' }],
  ]);
});

test('chance is the same with the same seed, and dead tokens stay dead', () => {
  const rates = { gone: 0.1, quota: 0.1, unavailable: 0.05, reset: 0.01 };
  const tokens = Array.from({ length: 5_000 }, (_, i) => `${i}`.padStart(140, 'x'));
  const run = (seed: number) => {
    const behaviours = new Behaviours('fcm', { rates, seed });
    return tokens.map((token) => behaviours.of(token));
  };
  const [one, again, other] = [run(7), run(7), run(8)];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  const share = (what: string) => one.filter((behaviour) => behaviour === what).length / one.length;
  expect(share('gone')).toBeCloseTo(0.1, 1);
  expect(share('quota')).toBeCloseTo(0.09, 1);
  const behaviours = new Behaviours('fcm', { rates, seed: 7 });
  for (const [at, token] of tokens.entries()) {
    expect(behaviours.isGone(token)).toBe(one[at] === 'gone');
    if (one[at] === 'gone') expect(behaviours.of(token)).toBe('gone');
  }
});
