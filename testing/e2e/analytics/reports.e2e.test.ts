// Reports by email, to Slack, to Microsoft Teams and to a webhook: from a tap to the message.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freshIp, type Sent, startMailbox } from '@landfall/testkit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { expectError, patch, post, systemOfFile } from '../calls.ts';

const box = await startMailbox();
const posts: { path: string; headers: Record<string, unknown>; body: string }[] = [];
const receiver = createServer(async (req, res) => {
  let body = '';
  for await (const part of req) body += part;
  posts.push({ path: req.url!, headers: req.headers, body });
  res.end('ok');
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
afterAll(() => Promise.all([box.close(), receiver.close()]));
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const { system, calls } = await systemOfFile({
  ...{ SMTP_URL: `smtp://localhost:${box.port}`, MAIL_FROM: 'Landfall <landfall@example.com>' },
  PRIVATE_WEBHOOKS: 'on',
});
const app = await system.makeApp({ android: { package: 'com.example.shop' }, timeZone: 'Asia/Kolkata' });
const appPath = `/api/manage/apps/${app.app.id}`;
const manage = async (sent: Sent) => {
  const answer = await system.manage(sent);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const add = async (of: object) => (await manage(post(`${appPath}/channels`, { name: 'x', ...of }))).channel;
const dayIn = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(ms);
const sourceOf = (name: string) => `${base}/${name}`;
const patience = { timeout: 20_000, interval: 100 };

describe('a daily report', async () => {
  const link = await system.makeLink(app, '/sale?utm_campaign=spring');
  // The counts begin with it. Two days later the day of the report and the one before are whole.
  await calls.tap(link.url, { ip: freshIp() });
  system.clock.advance({ days: 2 });
  const taps = 3;
  for (let i = 0; i < taps; i++) await calls.tap(link.url, { ip: freshIp() });
  const tapped = dayIn(system.clock());
  const email = await add({ kind: 'email', target: 'bob@example.com' });
  const [, code] = /http:\/\/api\.test\/confirm#([\w-]{43})/.exec(box.mails[0]!.text)!;
  const slack = await add({ kind: 'slack', target: sourceOf('slack') });
  const webhook = await add({ kind: 'webhook', target: sourceOf('hook') });
  const channelIds = [email.id, slack.id, webhook.id];
  const { report } = await manage(post(`${appPath}/reports`, { name: 'Daily', every: 'day', hour: 9, channelIds }));
  const dueAt = () => Date.parse(report.nextAt);

  it('is due at its hour in the zone of the app', () => {
    expect(report.nextAt).toMatch(/T03:30:00\.000Z$/);
    expect(dueAt()).toBeGreaterThan(system.clock());
  });

  it('comes with the figures of the day, to each of its channels', async () => {
    await manage(post('/api/manage/channels/confirm', { code }));
    // The report is about the whole day of the taps.
    while (dayIn(dueAt()) <= tapped) report.nextAt = new Date(dueAt() + 86_400_000).toISOString();
    system.clock.advance({ seconds: Math.ceil((dueAt() - system.clock()) / 1000) + 1 });
    await vi.waitFor(() => expect([box.mails.length, posts.length]).toEqual([2, 2]), patience);
    const [, mail] = box.mails;
    expect(mail).toMatchObject({ to: ['bob@example.com'] });
    expect(mail!.text).toContain(`Taps: ${taps} (before: 0)`);
    expect(mail!.text).toContain(`spring: ${taps} taps, 0 installs from links`);
    expect(mail!.text).toContain(`/apps/${app.app.id}/analytics?from=${tapped}&to=${tapped}`);
    const inSlack = JSON.parse(posts.find(({ path }) => path === '/slack')!.body);
    expect(inSlack.text).toContain(`/sale: ${taps} taps, 0 installs from links`);
    const { data } = JSON.parse(posts.find(({ path }) => path === '/hook')!.body);
    expect(data).toMatchObject({ from: tapped, to: tapped, timeZone: 'Asia/Kolkata', complete: true });
    expect(data.figures[0]).toEqual({ metric: 'clicks', value: taps, previous: 0 });
    expect(data.top.utmCampaign).toMatchObject([{ value: 'spring', clicks: taps }]);
    const { messages } = await manage({ path: `${appPath}/messages` });
    expect(messages.filter(({ kind }: { kind: string }) => kind === 'report')).toMatchObject([
      ...channelIds.map(() => ({ state: 'sent', attempts: 1 })),
    ]);
    const { reports } = await manage({ path: `${appPath}/reports` });
    expect(Date.parse(reports[0].nextAt)).toBe(dueAt() + 86_400_000);
  });

  it('says what it would say, and comes before its time to Teams when somebody asks for it', async () => {
    const teams = await add({ kind: 'teams', target: sourceOf('teams') });
    const now = `${appPath}/reports/${report.id}`;
    await manage(patch(now, { channelIds: [teams.id], paused: true }));
    const preview = await manage({ path: `${now}/preview` });
    expect(preview).toMatchObject({ from: tapped, to: tapped });
    expect(preview.message.lines[0]).toBe(`Taps: ${taps} (before: 0)`);
    expect(await manage(post(`${now}/send`, undefined))).toMatchObject({ messages: 1 });
    await vi.waitFor(() => expect(posts.at(-1)!.path).toBe('/teams'), patience);
    const [card] = JSON.parse(posts.at(-1)!.body).attachments;
    expect(card).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl' }] },
    });
    const texts = card.content.body.flatMap(({ inlines }: { inlines: { text: string }[] }) => inlines);
    expect(texts.map(({ text }: { text: string }) => text)).toContain(preview.message.lines[0]);
    const { reports } = await manage({ path: `${appPath}/reports` });
    expect(reports[0]).toMatchObject({ paused: true, last: { sent: 1, failed: 0, waiting: 0 } });
    await manage(patch(now, { channelIds: [], paused: false }));
    expectError(await system.manage(post(`${now}/send`, undefined)), 409, 'REPORT_WITHOUT_CHANNEL');
  });

  it('moves with the time zone of the app', async () => {
    await manage(patch(appPath, { timeZone: 'America/Los_Angeles' }));
    const { reports } = await manage({ path: `${appPath}/reports` });
    expect(reports[0].nextAt).toMatch(/T1[67]:00:00\.000Z$/);
  });

  it('ends with one click in the mail program, and not by looking at the address', async () => {
    const [, address] = /^List-Unsubscribe: <http:\/\/api\.test(\/[^>]+)>/m.exec(
      box.mails[1]!.raw.replace(/\r\n[ \t]+/g, ''),
    )!;
    await system.send({ path: address! });
    const stateOf = async () => (await manage({ path: `${appPath}/channels` })).channels[0].state;
    expect(await stateOf()).toBe('ready');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'List-Unsubscribe=One-Click';
    expect((await system.send({ method: 'POST', path: address!, headers, body })).status).toBe(204);
    expect(await stateOf()).toBe('unsubscribed');
    const wrong = await system.send({ method: 'POST', path: '/unsubscribe?of=v1.x', headers, body });
    expectError(wrong, 401, 'CODE_UNKNOWN');
  });
});

it.each([
  [{ name: 'x', every: 'week', day: 8, channelIds: [] }, 'day'],
  [{ name: 'x', every: 'day', hour: 24, channelIds: [] }, 'hour'],
  [{ name: 'x', every: 'day', channelIds: [crypto.randomUUID()] }, 'channelIds'],
])('a report of %j is refused, with the name of the field', async (body, field) => {
  const answer = await system.manage(post(`${appPath}/reports`, body));
  expectError(answer, 400, 'INVALID_REQUEST');
  expect(answer.json.details).toMatchObject([{ path: field }]);
});
