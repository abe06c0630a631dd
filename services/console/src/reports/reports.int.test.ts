// Reports on PostgreSQL. Analytics is another service: its answers are made here.
import { QueryAnalytics } from '@landfall/contracts';
import { beforeEach, expect, it } from 'vitest';
import { createChannel, listMessages } from '../channels/channels.ts';
import { consoleSuite, done, makeApp } from '../console.testing.ts';
import type { ConsoleParts } from '../parts.ts';
import { makeDueReports } from './make-reports.ts';
import { createReport, listReports } from './reports.ts';

const DAY = 86_400_000;

consoleSuite('a report', (fixture) => {
  let lagMs = 0;
  let asked: { from: string; to: string }[] = [];
  beforeEach(() => {
    lagMs = 0;
    asked = [];
    fixture.parts.groups = async () => [{ group: 'analytics', members: 1, lag: lagMs > 0 ? 1 : 0, waitedMs: lagMs }];
    const covered = { timeZone: 'UTC', from: '2026-01-01T00:00:00.000Z', completeFrom: null };
    fixture.parts.forward = (async (to: unknown, { from, to: until }: { from: string; to: string }) => {
      if (to !== QueryAnalytics) return { ...covered, breakdowns: [] };
      asked.push({ from, to: until });
      return { ...covered, total: 5, previous: { complete: true, total: 4 } };
    }) as ConsoleParts['forward'];
  });

  async function made() {
    const { id: appId } = await makeApp(fixture);
    const add = async (name: string) => {
      const target = `https://hooks.slack.com/services/${name}`;
      return (await done(fixture.ask(createChannel, { appId, kind: 'slack', name, target }))).channel.id;
    };
    const channelIds = [await add('one'), await add('two')];
    const { report } = await done(
      fixture.ask(createReport, { appId, name: 'Daily', every: 'day', hour: 9, channelIds }),
    );
    return { appId, dueAt: Date.parse(report.nextAt) };
  }
  const make = () => makeDueReports(fixture.parts);
  const goTo = (ms: number) => fixture.clock.advance({ ms: ms - fixture.clock() });
  const messagesOf = async (appId: string) => (await done(fixture.ask(listMessages, { appId }))).messages;
  const nextOf = async (appId: string) =>
    Date.parse((await done(fixture.ask(listReports, { appId }))).reports[0]!.nextAt);
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

  it('is made once for each channel by three consoles, at its time', async () => {
    const { appId, dueAt } = await made();
    goTo(dueAt - 1_000);
    await make();
    expect(asked).toEqual([]);
    goTo(dueAt);
    await Promise.all([make(), make(), make()]);
    await make();
    const yesterday = dayOf(dueAt - DAY);
    expect(asked).toEqual(Array.from({ length: 5 }, () => ({ from: yesterday, to: yesterday })));
    expect(await messagesOf(appId)).toHaveLength(2);
    expect(await nextOf(appId)).toBe(dueAt + DAY);
  });

  it('that a console made and did not store is the same message when another one makes it', async () => {
    const { appId, dueAt } = await made();
    goTo(dueAt);
    await make();
    const before = (await messagesOf(appId)).map(({ id }) => id).sort();
    await fixture.database.rows('update account.reports set next_at = $1, taken_until = $1', [new Date(dueAt)]);
    await make();
    expect((await messagesOf(appId)).map(({ id }) => id).sort()).toEqual(before);
  });

  it('is the latest one after a time in which nothing ran', async () => {
    const { appId, dueAt } = await made();
    goTo(dueAt + 3 * DAY + DAY / 2);
    await make();
    expect(asked[0]).toEqual({ from: dayOf(dueAt + 2 * DAY), to: dayOf(dueAt + 2 * DAY) });
    expect(await messagesOf(appId)).toHaveLength(2);
    expect(await nextOf(appId)).toBe(dueAt + 4 * DAY);
  });

  it('waits an hour for events that are not counted, and then says so', async () => {
    const { appId, dueAt } = await made();
    lagMs = 61_000;
    goTo(dueAt);
    await make();
    goTo(dueAt + 3_599_000);
    await make();
    expect(await messagesOf(appId)).toEqual([]);
    goTo(dueAt + 3_630_000);
    await make();
    const rows = await fixture.database.rows<{ body: { notes: string[]; data: object } }>(
      'select body from account.channel_messages',
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]!.body.notes.join(' ')).toContain('the events of the last minutes were not all counted');
    expect(rows[0]!.body.data).toMatchObject({ complete: false });
  });
});

consoleSuite('a weekly report', (fixture) => {
  it('more than a day late is left out', async () => {
    fixture.parts.groups = async () => [];
    const { id: appId } = await makeApp(fixture);
    const target = 'https://hooks.slack.com/services/x';
    const { channel } = await done(fixture.ask(createChannel, { appId, kind: 'slack', name: 'x', target }));
    const wanted = { name: 'Weekly', every: 'week', channelIds: [channel.id] };
    const { report } = await done(fixture.ask(createReport, { appId, ...wanted }));
    fixture.clock.advance({ ms: Date.parse(report.nextAt) + DAY - fixture.clock() });
    await makeDueReports(fixture.parts);
    expect((await done(fixture.ask(listMessages, { appId }))).messages).toEqual([]);
    const { reports } = await done(fixture.ask(listReports, { appId }));
    expect(Date.parse(reports[0]!.nextAt)).toBe(Date.parse(report.nextAt) + 7 * DAY);
  });
});
