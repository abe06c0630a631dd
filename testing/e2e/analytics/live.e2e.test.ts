// The live stream of an app: events while they happen, over server-sent events.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { freshIp, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { callsOf, expectError, newDevice } from '../calls.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
let app: TestApp;
let link: { id: string; url: string };
const open: ClientRequest[] = [];

beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
  app = await system.makeApp();
  link = await system.makeLink(app);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.destroy();
});
afterAll(() => system?.stop());

interface Shown {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

const path = () => `/api/manage/apps/${app.app.id}/live`;

/** Opens the stream, and collects what it shows. */
async function watch(headers: Record<string, string> = {}, query = '') {
  const shown: Shown[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = { host: 'api.test', authorization: `Bearer ${system.ownerToken}`, ...headers };
    const stream = request({ port: system.port, path: path() + query, headers: sent, agent: false }, resolve);
    stream.once('error', reject);
    stream.end();
    open.push(stream);
  });
  let text = '';
  response.setEncoding('utf8');
  response.on('error', () => {});
  response.on('data', (part: string) => {
    const blocks = (text + part).split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) shown.push({ id: field('id')!, name: field('event')!, data: JSON.parse(data) });
    }
  });
  return { status: response.statusCode, headers: response.headers, shown };
}

const named = (shown: readonly Shown[], name: string) => shown.filter((one) => one.name === name);
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 20 });

it('shows a tap, and the decision of a restore with its reason', async () => {
  const { status, headers, shown } = await watch();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const device = newDevice();
  await calls.tap(link.url, { ip: device.ip });
  await eventually(() => expect(named(shown, 'click')).toHaveLength(1));
  expect(named(shown, 'click')[0]!.data).toMatchObject({ linkId: link.id, platform: 'android', kind: 'click' });

  await calls.heartbeat(app, device.body, { ip: device.ip });
  const restored = await calls.restore(app, device.body, { ip: device.ip });
  expect(restored.json.count).toBe(1);
  await eventually(() => {
    expect(named(shown, 'install')).toHaveLength(1);
    expect(named(shown, 'restore')).toHaveLength(1);
    expect(named(shown, 'decision')).toHaveLength(1);
  });
  expect(named(shown, 'decision')[0]!.data).toMatchObject({ matchType: 'address', considered: [{ taken: true }] });
  const all = JSON.stringify(shown);
  for (const secret of [device.ip, device.deviceFingerprint]) expect(all).not.toContain(secret);
});

it('shows the decision of a restore that gives nothing, with its reason', async () => {
  const device = newDevice();
  await calls.heartbeat(app, device.body, { ip: device.ip });
  // The device is not new any more.
  system.clock.advance({ hours: 2 });
  await calls.tap(link.url, { ip: device.ip });
  const { shown } = await watch();
  const restored = await calls.restore(app, device.body, { ip: device.ip });
  expect(restored.json.count).toBe(0);
  await eventually(() => expect(named(shown, 'decision')).toHaveLength(1));
  expect(named(shown, 'decision')[0]!.data).toMatchObject({
    matchType: null,
    summary: expect.any(String),
    considered: [{ taken: false, reason: expect.any(String) }],
  });
});

it.each<[string, (id: string) => Parameters<typeof watch>]>([
  ['the header of a browser', (id) => [{ 'last-event-id': id }]],
  ['a parameter', (id) => [{}, `?lastEventId=${id}`]],
])('goes on where it was interrupted, with %s', async (_, from) => {
  const first = await watch();
  await calls.tap(link.url, { ip: freshIp() });
  await eventually(() => expect(named(first.shown, 'click')).toHaveLength(1));
  open.splice(0).forEach((stream) => void stream.destroy());
  system.clock.advance({ seconds: 30 });
  await calls.tap(link.url, { ip: freshIp() });
  await system.settled();
  const last = first.shown.at(-1)!;
  const second = await watch(...from(last.id));
  const missed = () => named(second.shown, 'click').filter(({ data }) => data.id !== last.data.id);
  await eventually(() => expect(missed().length).toBeGreaterThanOrEqual(1));
  const ids = named(second.shown, 'click').map(({ data }) => data.id);
  expect(ids).toContain(missed().at(-1)!.data.id);
});

it('has a bound for each caller', async () => {
  for (let i = 0; i < 6; i++) expect((await watch()).status).toBe(200);
  const answer = await system.manage({ path: path() });
  // Another gateway counts its own.
  if (answer.status !== 200) expectError(answer, 429, 'TOO_MANY_STREAMS');
  else expect((await watch()).status).toBe(429);
  open.splice(0).forEach((stream) => void stream.destroy());
  await eventually(async () => expect((await watch()).status).toBe(200));
});

it('belongs to the members of the app', async () => {
  expectError(await system.send({ path: path() }), 401, 'NOT_SIGNED_IN');
});
