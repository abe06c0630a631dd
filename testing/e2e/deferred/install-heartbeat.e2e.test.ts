// Tests POST /api/deferred-deep-linking/install-heartbeat: spec 4.5.
// Over Kafka: a first heartbeat publishes an install.
import { expect, it } from 'vitest';
import { expectError, inOneProcess, newDevice, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

it('says whether it is the first launch, and nothing else', async () => {
  const app = await system.makeApp();
  const { body } = newDevice();
  const first = await calls.heartbeat(app, body);
  expect(first.status).toBe(200);
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(first.json).toEqual({ success: true, isFirstLaunch: true });
  expect((await calls.heartbeat(app, body)).json).toEqual({ success: true, isFirstLaunch: false });
  system.clock.advance({ days: 100 });
  expect((await calls.heartbeat(app, body)).json.isFirstLaunch).toBe(false);
});

it('is the first for exactly one of many at once', async () => {
  const app = await system.makeApp();
  const { body } = newDevice();
  const answers = await Promise.all(Array.from({ length: 20 }, () => calls.heartbeat(app, body)));
  expect(answers.filter((answer) => answer.json.isFirstLaunch)).toHaveLength(1);
});

once.it('is the first after a restore too, which is no heartbeat', async () => {
  const app = await system.makeApp();
  const { body } = newDevice();
  await calls.restore(app, body);
  expect((await calls.heartbeat(app, body)).json.isFirstLaunch).toBe(true);
});

once.it("ignores the body's appId", async () => {
  const [app, other] = [await system.makeApp(), await system.makeApp()];
  const { body } = newDevice();
  await calls.heartbeat(app, { ...body, appId: other.app.id });
  expect((await calls.heartbeat(other, body)).json.isFirstLaunch).toBe(true);
});

once.it.each([[{}], [{ deviceFingerprint: '' }], [{ deviceFingerprint: 'x'.repeat(513) }]])(
  'refuses a wrong fingerprint, naming the field: %j',
  async (body) => {
    const answer = await calls.heartbeat(await system.makeApp(), body);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('deviceFingerprint');
  },
);

once.it('takes any text for a fingerprint', async () => {
  const app = await system.makeApp();
  for (const deviceFingerprint of [' ', '🙂', "'; drop table", 'x'.repeat(512)])
    expect((await calls.heartbeat(app, { deviceFingerprint })).json.isFirstLaunch).toBe(true);
});

once.it('needs a key', async () => {
  const sent = { method: 'POST', path: '/api/deferred-deep-linking/install-heartbeat', body: newDevice().body };
  expectError(await system.send(sent), 401, 'UNAUTHORIZED');
});
