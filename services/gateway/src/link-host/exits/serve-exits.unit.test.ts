// The events of exits, with a gateway whose only services know one app and one link.
import { createInProcessBus } from '@landfall/bus';
import { type DataOf, ExitUsed, FindHost, ResolveLink } from '@landfall/contracts';
import { aLink, anApp } from '@landfall/contracts/testing';
import { send, testLogger } from '@landfall/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startGateway } from '../../gateway.testing.ts';

const IN_INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Instagram 354.0.0.29.90 (iPhone12,8; iOS 18_1; en_US; en; scale=2.00; 750x1334; 654111336; IABMV/1)';
const IN_TELEGRAM =
  'Mozilla/5.0 (Linux; Android 7.1.2; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.6045.193 Mobile Safari/537.36 Telegram-Android/11.4.3 (Samsung SM-G965N; Android 7.1.2; SDK 25; LOW)';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.4 Mobile/15E148 Safari/604.1';

const link = aLink();
const facts = { linkId: link.id, appId: link.appId };
let gateway: Awaited<ReturnType<typeof startGateway>>;
let port: number;
let metricsText: () => Promise<string>;
let told: DataOf<typeof ExitUsed>[] = [];

beforeAll(async () => {
  const log = testLogger();
  const bus = createInProcessBus({ log });
  bus.answer(FindHost, async (batch) => batch.map(() => ({ reply: { app: anApp() } })));
  bus.answer(ResolveLink, async (batch) =>
    batch.map(({ data }) =>
      data.slug === link.slug ? { reply: { link } } : { refusal: { code: 'LINK_NOT_FOUND', facts: {} } },
    ),
  );
  bus.watch(ExitUsed, (data) => told.push(data), { onGap() {} });
  gateway = await startGateway({ bus, env: { RATE_LIMITS: 'tap=12' } });
  port = gateway.port;
  metricsText = gateway.metrics.text;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  told = [];
});

const ask = (method: string, query: string, userAgent: string, slug = link.slug) =>
  send(port, { method, path: `/${slug}${query}`, headers: { host: 'shop.links.test', 'user-agent': userAgent } });

it('a report of the exit of the page is an event', async () => {
  expect((await ask('POST', '?lf_exit=instagram-extbrowser', IN_INSTAGRAM)).status).toBe(204);
  expect((await ask('POST', '?lf_exit=android-intent', IN_TELEGRAM)).status).toBe(204);
  expect(told).toEqual([
    { ...facts, exit: 'instagram-extbrowser', step: 'tapped', platform: 'ios', inAppBrowser: 'Instagram' },
    { ...facts, exit: 'android-intent', step: 'tapped', platform: 'android', inAppBrowser: 'Telegram' },
  ]);
});

it('a tap that came out of another app is an event, and one that is still inside is none', async () => {
  await ask('GET', '?lf_out=instagram-extbrowser', SAFARI);
  await ask('GET', '?lf_out=ios-safari', SAFARI);
  await ask('GET', '?lf_out=ios-safari', IN_INSTAGRAM);
  await expect
    .poll(() => told)
    .toEqual([
      { ...facts, exit: 'instagram-extbrowser', step: 'arrived', platform: 'ios', inAppBrowser: 'Instagram' },
      { ...facts, exit: 'ios-safari', step: 'arrived', platform: 'ios', inAppBrowser: null },
    ]);
  expect(await metricsText()).toMatch(/landfall_exits_total\{[^}]*exit="ios-safari",step="arrived"[^}]*\} 1/);
});

it.each([
  ['an exit of another app', '?lf_exit=line-parameter', IN_INSTAGRAM, link.slug],
  ['an exit outside of any app', '?lf_exit=ios-safari', SAFARI, link.slug],
  ['an unknown link', '?lf_exit=instagram-extbrowser', IN_INSTAGRAM, 'no-such-link'],
  ['a program', '?lf_exit=instagram-extbrowser', 'curl/8.5.0', link.slug],
])('a made-up report gets the same answer and is no event: %s', async (_, query, userAgent, slug) => {
  expect((await ask('POST', query, userAgent, slug)).status).toBe(204);
  expect(told).toEqual([]);
});

it('reports over the limit of taps are no events', async () => {
  for (let i = 0; i < 15; i++) await ask('POST', '?lf_exit=instagram-extbrowser', IN_INSTAGRAM);
  expect(told.length).toBeLessThan(12);
});
