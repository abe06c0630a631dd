// Reads /metrics of the whole product after real requests: counters of requests, asks, handlers and events, and no
// personal data.
import { send } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { newDevice, post, systemOfFile } from '../calls.ts';

const person = { ip: '198.51.100.77', email: 'person@example.com' };

const { system } = await systemOfFile();
const app = await system.makeApp({ ios: { bundleId: 'com.example.shop' } });
const link = await system.makeLink(app, '/secret-offer');
await system.tap(link.url, { ip: person.ip });
await system.tap(link.url.replace(link.slug, 'no-such-slug'));
const stored = { linkId: link.id, userEmail: 'other@example.com' };
await system.sdk(app, post('/api/deferred-deep-linking/store', stored));
await system.settled();
await system.sdk(app, post('/api/deferred-deep-linking/restore', { userEmail: stored.userEmail }));
const { body } = newDevice();
await system.sdk(app, {
  ...post('/api/deferred-deep-linking/restore', { ...body, email: person.email }),
  ip: person.ip,
});
await system.settled();
// Sent without X-Forwarded-For, like the requests of Prometheus on this machine.
const text = (await send(system.port, { path: '/metrics' })).text;

/** Returns the value of the metric line with this name and these labels, in any order. */
function value(name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (line) =>
        (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
        Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

it('counts requests by route and status', () => {
  const requests = 'landfall_http_request_duration_seconds_count';
  expect(value(requests, { route: '/api/links/create-sdk', method: 'POST', status: '200' })).toBe(1);
  expect(value(requests, { route: '/api/deferred-deep-linking/restore', status: '200' })).toBe(2);
  expect(value(requests, { route: 'link-host', method: 'GET', status: '200' })).toBe(1);
  expect(value(requests, { route: 'link-host', method: 'GET', status: '404' })).toBe(1);
});

it('counts asks by outcome, and events', () => {
  expect(value('landfall_asks_total', { message: 'CreateLink', outcome: 'answered' })).toBe(1);
  expect(value('landfall_asks_total', { message: 'ResolveLink', outcome: 'refused' })).toBe(1);
  expect(value('landfall_ask_duration_seconds_count', { message: 'CreateLink' })).toBe(1);
  expect(value('landfall_tells_total', { event: 'LinkClicked', outcome: 'told' })).toBe(1);
});

it('counts restores by what they were matched by', () => {
  expect(value('landfall_restores_total', { match: 'address' })).toBe(1);
  expect(value('landfall_restores_total', { match: 'email' })).toBe(1);
});

it('measures handlers, listeners and their batches', () => {
  const created = { message: 'CreateLink', outcome: 'done' };
  expect(value('landfall_handler_duration_seconds_count', created)).toBe(1);
  expect(value('landfall_handler_duration_seconds_sum', created)).toBeGreaterThan(0);
  expect(value('landfall_handler_batch_size_sum', { message: 'RestoreLinks' })).toBe(2);
  expect(value('landfall_handler_duration_seconds_count', { message: 'LinkClicked', outcome: 'done' })).toBe(1);
});

it('shows how the bus, the limits and the taps are', () => {
  expect(value('landfall_queue_messages', { receiver: 'CreateLink' })).toBe(0);
  expect(value('landfall_receiver_paused', { receiver: 'CreateLink' })).toBe(0);
  expect(value('landfall_asks_pending')).toBe(0);
  expect(value('landfall_limiter_mode', { mode: 'memory' })).toBe(1);
  expect(value('landfall_taps_late_total')).toBe(0);
  expect(value('landfall_check_ok', { check: 'database' })).toBe(1);
});

it('says nothing of anybody', () => {
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  for (const secret of [app.key, app.app.subdomain, person.ip, person.email, 'no-such-slug', 'secret-offer'])
    expect(text).not.toContain(secret);
});

it('is not for the world', async () => {
  expect((await system.send({ path: '/metrics' })).status).toBe(404);
});
