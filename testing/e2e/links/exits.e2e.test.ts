// Ways out of the browsers inside other apps, and their events.
// Over Kafka: exits are published.
import { freshIp, IPHONE } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { systemOfFile } from '../calls.ts';
import { IPHONE_IN_INSTAGRAM } from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const link = await system.makeLink(await system.makeApp({ ios: { storeId: '1234567890' } }));

const send = (method: string, query: string, userAgent: string) => {
  const { pathname, host } = new URL(link.url);
  return system.send({
    method,
    path: `${pathname}${query}`,
    headers: { host, 'user-agent': userAgent, 'x-forwarded-for': freshIp() },
  });
};

it('a page inside an app has a button out of it, which leads to a page with buttons in the browser', async () => {
  const inside = await calls.tap(link.url, { userAgent: IPHONE_IN_INSTAGRAM });
  const [, path = ''] = /ping="([^"]*)"/.exec(inside.text) ?? [];
  expect(path).toBe(`${new URL(link.url).pathname}?lf_exit=instagram-extbrowser`);
  expect(inside.headers['content-security-policy']).toContain("connect-src 'self'");
  const [, exit = ''] = /href="instagram:[^"]*url=([^"]*)"/.exec(inside.text) ?? [];
  const outside = await calls.tap(decodeURIComponent(exit), { userAgent: IPHONE });
  expect(outside.status).toBe(200);
  expect(outside.text).toContain('Open in the app');
  expect(outside.text).toContain('https://apps.apple.com/app/id1234567890');
  await system.settled();
});

it.each([
  ['the exit of the page', '?lf_exit=instagram-extbrowser', IPHONE_IN_INSTAGRAM],
  ['an exit of another app', '?lf_exit=line-parameter', IPHONE_IN_INSTAGRAM],
  ['an exit outside of any app', '?lf_exit=instagram-extbrowser', IPHONE],
])('a report gets an empty answer: %s', async (_, query, userAgent) => {
  const answer = await send('POST', query, userAgent);
  expect(answer).toMatchObject({ status: 204, text: '' });
  expect(answer.headers['cache-control']).toBe('no-store');
  await system.settled();
});

it.each(['?lf_exit=no-such', '?lf_exit=', '', '?lf_out=ios-safari'])(
  'nothing else can be posted to a link: %j',
  async (query) => {
    expect((await send('POST', query, IPHONE_IN_INSTAGRAM)).status).toBe(405);
  },
);
