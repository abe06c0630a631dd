import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { analyticsMetrics, QueryAnalytics } from '@landfall/contracts';
import { isTransient } from '@landfall/db';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase } from './analytics.testing.ts';
import type { Inbox } from './inbox.ts';
import { APPS, countedBy, randomEvents, type TestEvent } from './random-events.testing.ts';
import { analyticsWithInbox } from './service.ts';

const FROM = new Date('2026-11-01T00:00:00.000Z');
const TO = new Date('2026-11-20T00:00:00.000Z');

describe('the inbox', () => {
  const events = randomEvents({ count: 600, from: FROM, to: TO });
  let own: Awaited<ReturnType<typeof emptyDatabase>>;
  let bus: InProcessBus;
  let inbox: Inbox;
  beforeEach(async () => {
    own = await emptyDatabase();
    await begin();
  });
  afterEach(async () => {
    await bus.stop();
    await inbox.stop();
    await own.drop();
  });

  async function begin() {
    const { database } = own;
    bus = createInProcessBus({ log: testLogger(), isTransient });
    inbox = analyticsWithInbox({ bus, database, log: testLogger() });
    await bus.start();
  }
  const tell = (some: readonly TestEvent[]) =>
    Promise.all(some.map(({ event, data, id, now }) => bus.tell(event, data as never, { id, now })));
  const stored = async () => (await own.database.rows('select from analytics.inbox')).length;
  const metrics = analyticsMetrics.filter((metric) => metric !== 'visitors');
  const totals = () =>
    Promise.all(
      metrics.map(async (metric) => {
        const range = { from: '2026-11-01', to: '2026-11-20' };
        const answer = await bus.ask(QueryAnalytics, { appId: APPS[0]!, metric, interval: 'total', ...range });
        return [metric, answer.ok ? answer.reply.total : answer.refusal];
      }),
    );
  const wanted = metrics.map((metric) => [metric, countedBy(events, APPS[0]!, metric).length]);

  it('counts each event once, also what an earlier process has left', async () => {
    await tell([...events.slice(0, 400), ...events.slice(0, 50)]);
    expect(await stored()).toBeGreaterThan(0);
    // This process ends before it has counted.
    await bus.stop();
    await inbox.stop();
    await begin();
    await tell(events.slice(350));
    await inbox.settled();
    expect(await stored()).toBe(0);
    expect(await totals()).toEqual(wanted);
  });

  it('is counted soon after the start, without anybody who waits', async () => {
    inbox.start();
    await tell(events);
    await expect.poll(stored, { timeout: 10_000 }).toBe(0);
    await expect.poll(totals, { timeout: 10_000 }).toEqual(wanted);
  });

  it('keeps what cannot be counted, with the reason, and counts the rest', async () => {
    await own.database.rows(`insert into analytics.inbox (event, messages) values ('LinkClicked', $1)`, [
      JSON.stringify([{ id: 'no id', now: FROM.toISOString(), data: events[0]!.data }]),
    ]);
    await tell(events);
    await inbox.settled();
    expect(await own.database.rows('select failure from analytics.inbox')).toEqual([
      { failure: expect.stringContaining('uuid') },
    ]);
    expect(await totals()).toEqual(wanted);
    // It is not tried again.
    await inbox.settled();
    expect(await stored()).toBe(1);
  });
});
