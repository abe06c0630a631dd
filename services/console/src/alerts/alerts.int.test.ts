// Alerts on PostgreSQL. Analytics is another service: its answers are made here.
import { QueryAnalytics } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { createChannel, listMessages } from '../channels/channels.ts';
import { consoleSuite, done, makeApp } from '../console.testing.ts';
import type { ConsoleParts } from '../parts.ts';
import { changeAlert, createAlert, listAlerts, snoozeAlert } from './alerts.ts';
import { checkDueAlerts } from './check-alerts.ts';

const HOUR = 3_600_000;
const MINUTES = 10;

consoleSuite('an alert', (fixture) => {
  /** The figure of the last three hours. In the weeks before it was 300. */
  let figure = 300;
  let lagMs = 0;
  let since = '2020-01-01T00:00:00.000Z';
  let asked = 0;
  beforeEach(() => {
    figure = 300;
    lagMs = 0;
    since = '2020-01-01T00:00:00.000Z';
    asked = 0;
    fixture.clock.advance({ days: 60 });
    fixture.parts.groups = async () => [{ group: 'analytics', members: 1, lag: lagMs > 0 ? 1 : 0, waitedMs: lagMs }];
    fixture.parts.forward = (async (to: unknown, { from }: { from: string }) => {
      expect(to).toBe(QueryAnalytics);
      asked++;
      const now = fixture.clock();
      const starts: number[] = [];
      for (let at = Date.parse(`${from}T00:00:00Z`); at < now; at += HOUR) starts.push(at);
      const last = starts.length - 1;
      const values = starts.map((_, i) => (i < last && i >= last - 3 ? figure / 3 : 100));
      const buckets = starts.map((at) => new Date(at).toISOString());
      return { buckets, values, to: new Date(now).toISOString(), completeFrom: since };
    }) as ConsoleParts['forward'];
  });

  async function made(of: object = {}) {
    const { id: appId } = await makeApp(fixture);
    await fixture.database.rows(`update account.apps set created_at = '2020-01-01' where id = $1`, [appId]);
    const target = 'https://hooks.slack.com/services/x';
    const { channel } = await done(fixture.ask(createChannel, { appId, kind: 'slack', name: 'x', target }));
    const wanted = { name: 'Down', metric: 'clicks', rule: 'fall', bound: 50, window: '3h', channelIds: [channel.id] };
    const { alert } = await done(fixture.ask(createAlert, { appId, ...wanted, ...of }));
    return { appId, alertId: alert.id };
  }
  const check = () => checkDueAlerts(fixture.parts);
  async function checkLater(n = 1): Promise<void> {
    for (let i = 0; i < n; i++) {
      fixture.clock.advance({ minutes: MINUTES });
      await check();
    }
  }
  const stateOf = async (appId: string) => (await done(fixture.ask(listAlerts, { appId }))).alerts[0]!;
  const titles = async (appId: string) =>
    (await done(fixture.ask(listMessages, { appId }))).messages.map(({ title }) => title).reverse();

  it('tells when it begins and when it is over, once each', async () => {
    const { appId } = await made();
    await check();
    expect(await stateOf(appId)).toMatchObject({ state: 'ok', figure: 300, expected: 300 });
    figure = 120;
    await checkLater();
    expect(await stateOf(appId)).toMatchObject({ state: 'ok', figure: 120 });
    await checkLater(4);
    expect(await stateOf(appId)).toMatchObject({ state: 'firing' });
    // Better, and not clearly over.
    figure = 200;
    await checkLater(2);
    expect(await stateOf(appId)).toMatchObject({ state: 'firing' });
    figure = 290;
    await checkLater(3);
    expect(await titles(appId)).toEqual(['Down: Taps of Shop fell', 'Down: it is over']);
    const [{ body } = { body: null }] = await fixture.database.rows<{ body: { lines: string[]; data: object } }>(
      `select body from account.channel_messages where body ->> 'title' like '%fell'`,
    );
    expect(body!.data).toMatchObject({ value: 120, expected: 300, state: 'firing', metric: 'clicks', window: '3h' });
    expect(body!.lines[1]).toBe('Expected: about 300, as at the same time of the 4 weeks before.');
  });

  it('waits half a minute when analytics has no time, and the others that are due wait with it', async () => {
    const all = [(await made()).appId];
    for (let i = 0; i < 9; i++) all.push((await made()).appId);
    const { forward } = fixture.parts;
    fixture.parts.forward = async () => {
      asked++;
      throw new ApiError('TOO_MANY_QUESTIONS');
    };
    await check();
    expect(asked).toBe(8);
    fixture.parts.forward = forward;
    fixture.clock.advance({ seconds: 30 });
    await check();
    for (const appId of all) expect(await stateOf(appId)).toMatchObject({ state: 'ok' });
  });

  it('is checked every ten minutes, by one of two consoles', async () => {
    const { appId } = await made();
    await Promise.all([check(), check(), check()]);
    expect(asked).toBe(1);
    figure = 0;
    for (let i = 0; i < 3; i++) {
      fixture.clock.advance({ minutes: MINUTES });
      await Promise.all([check(), check()]);
    }
    expect(asked).toBe(4);
    fixture.clock.advance({ minutes: MINUTES - 1 });
    await check();
    expect(asked).toBe(4);
    expect(await titles(appId)).toHaveLength(1);
  });

  it('is quiet while it is snoozed, and then tells what is still so', async () => {
    const { appId, alertId } = await made();
    await check();
    await done(fixture.ask(snoozeAlert, { appId, alertId, hours: 1 }));
    figure = 0;
    await checkLater(4);
    expect(await stateOf(appId)).toMatchObject({ state: 'snoozed' });
    expect(await titles(appId)).toEqual([]);
    await checkLater(2);
    expect(await stateOf(appId)).toMatchObject({ state: 'firing' });
    expect(await titles(appId)).toHaveLength(1);
  });

  it('tells six times a day at most', async () => {
    const { appId } = await made();
    for (let i = 0; i < 8; i++) {
      figure = i % 2 === 0 ? 0 : 300;
      await checkLater(2);
    }
    expect(await titles(appId)).toHaveLength(6);
    fixture.clock.advance({ days: 1 });
    figure = 0;
    await checkLater(2);
    expect(await titles(appId)).toHaveLength(7);
  });

  it('is unknown while events wait or too few weeks are counted, and tells nobody', async () => {
    const { appId } = await made();
    figure = 0;
    lagMs = 301_000;
    await checkLater(3);
    expect(await stateOf(appId)).toMatchObject({ state: 'unknown', reason: 'BEHIND' });
    lagMs = 0;
    since = new Date(fixture.clock() - 10 * 24 * HOUR).toISOString();
    await checkLater(3);
    expect(await stateOf(appId)).toMatchObject({ state: 'unknown', reason: 'NEW', expected: null });
    expect(await titles(appId)).toEqual([]);
  });

  it('knows the weeks that an app younger than its figures has', async () => {
    const { appId } = await made();
    await fixture.database.rows('update account.apps set created_at = $2 where id = $1', [appId, fixture.parts.now()]);
    await check();
    expect(await stateOf(appId)).toMatchObject({ state: 'ok', figure: 300, expected: 300 });
  });

  it('begins again when somebody changes its rule', async () => {
    const { appId, alertId } = await made();
    figure = 120;
    await checkLater(3);
    expect(await stateOf(appId)).toMatchObject({ state: 'firing' });
    await done(fixture.ask(changeAlert, { appId, alertId, bound: 90 }));
    expect(await stateOf(appId)).toMatchObject({ state: 'unknown', reason: null, checkedAt: null });
    await checkLater(2);
    expect(await stateOf(appId)).toMatchObject({ state: 'ok', bound: 90 });
    await done(fixture.ask(changeAlert, { appId, alertId, name: 'Other' }));
    expect(await stateOf(appId)).toMatchObject({ state: 'ok', name: 'Other' });
  });

  describe('whose fields do not fit is refused', () => {
    const link = { dimension: 'link', value: crypto.randomUUID() };
    it.each([
      [{ bound: null }, 'bound is required'],
      [{ rule: 'silence' }, 'bound must be null for silence'],
      [{ bound: 100 }, 'bound must be 1 to 99 percent for a fall'],
      [{ filter: link }, 'window must be day with a filter'],
      [{ filter: link, metric: 'installs', window: 'day' }, 'filter must be null: installs are not counted by link'],
      [{ filter: { ...link, value: 'x' }, window: 'day' }, 'filter.value must be the id of a link'],
      [
        { filter: { dimension: 'utmCampaign', value: 'x' }, metric: 'restores', window: 'day' },
        'filter must be null: restores are not counted by utmCampaign',
      ],
    ])('%o: %s', async (of, sentence) => {
      const wanted = { name: 'x', metric: 'clicks', rule: 'fall', bound: 50, window: '3h', channelIds: [] };
      const body = createAlert.body!.parse({ ...wanted, ...of });
      const asked = createAlert.handle({ params: { appId: crypto.randomUUID() }, body } as never, fixture.parts);
      await expect(asked).rejects.toThrow(sentence);
    });
  });
});
