// Analytics over Kafka: two workers count events that arrive in random order, some of them twice, while the workers are
// killed again and again.
import { APPS, countedBy, randomEvents, seeded, type TestEvent } from '@landfall/analytics/testing';
import { createKafkaBus, type KafkaBus } from '@landfall/bus/kafka';
import { runCommand } from '@landfall/cli/commands';
import { type AnalyticsMetric, analyticsMetrics, QueryAnalytics } from '@landfall/contracts';
import { describeScaledOut, testLogger } from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stackOfSuite } from './stack-of-suite.ts';

const EVENTS = 40_000;
/** One event in twenty is sent twice. */
const TWICE = 0.05;
const KILLS = 10;
/** Events that are on their way at the same time. */
const IN_FLIGHT = 1_000;
const FROM = new Date('2026-10-01T00:00:00.000Z');
const TO = new Date('2026-11-20T00:00:00.000Z');
const PATIENT = { timeout: 120_000, interval: 250 };

describeScaledOut('analytics', (brokers, redisUrl) => {
  const processes = { gateway: 0, link: 0, attribution: 0, console: 0, push: 0, analytics: 2 };
  const suite = stackOfSuite({ brokers, redisUrl, processes });
  const events = randomEvents({ count: EVENTS, from: FROM, to: TO, links: 300 });
  let bus: KafkaBus;

  beforeAll(async () => {
    bus = createKafkaBus({
      service: 'sender',
      instance: 'sender-1',
      connection: { brokers },
      prefix: suite.prefix,
      topics: { partitions: 6, replication: 1, eventHours: 24, commandHours: 24, deadLetterHours: 24 },
      log: testLogger(),
      onFatal(error) {
        throw error;
      },
    });
    await bus.start();
  });
  afterAll(async () => {
    await bus?.stop();
  });

  it('counts every event once, with workers that are killed', { timeout: 300_000 }, async () => {
    const random = seeded(11);
    const twice = events.filter(() => random() < TWICE);
    const order = [...events, ...twice]
      .map((event) => ({ event, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ event }) => event);
    const part = Math.ceil(order.length / (KILLS + 1));
    for (let kill = 0; kill <= KILLS; kill++) {
      await send(order.slice(kill * part, (kill + 1) * part));
      if (kill === KILLS) break;
      // The stack starts it again.
      await suite.stack.process(`analytics-${1 + (kill % 2)}`).kill();
    }
    await expectExact();

    // Counts that are wrong, and an event that is missing, are made good from the topics.
    await suite.database.rows('update analytics.day_counts set n = n + 7');
    await suite.database.rows('delete from analytics.hour_counts');
    await suite.database.rows('delete from analytics.facts where id = $1', [events[0]!.id]);
    const said: string[] = [];
    const env = { DATABASE_URL: suite.stack.databaseUrl, KAFKA_BROKERS: brokers.join(), KAFKA_PREFIX: suite.prefix };
    await runCommand(['analytics', 'rebuild'], env, (text) => said.push(text));
    expect(said).toEqual([`Read ${order.length} events from the topics.`, 'Counted the events of 2 apps again.']);
    await expectExact();
  });

  async function expectExact() {
    const wanted = APPS.flatMap((appId) => analyticsMetrics.map((metric) => [appId, metric, expected(appId, metric)]));
    await expect
      .poll(
        async () => (await suite.database.rows<{ n: number }>('select count(*)::int as n from analytics.facts'))[0]!.n,
        PATIENT,
      )
      .toBe(facts());
    const found = await Promise.all(
      APPS.flatMap((appId) => analyticsMetrics.map(async (metric) => [appId, metric, await total(appId, metric)])),
    );
    expect(found).toEqual(wanted);
  }

  async function send(some: readonly TestEvent[]) {
    for (let i = 0; i < some.length; i += IN_FLIGHT) {
      const tell = ({ event, data, id, now }: TestEvent) =>
        bus.tell(event, data as never, { id, now, timeoutMs: 30_000 });
      await Promise.all(some.slice(i, i + IN_FLIGHT).map(tell));
    }
  }

  /** Events are facts, except that a restore is a fact for each link. */
  const facts = () => events.reduce((sum, { data }) => sum + (Array.isArray(data.links) ? data.links.length : 1), 0);

  async function total(appId: string, metric: AnalyticsMetric): Promise<number> {
    const answer = await bus.ask(QueryAnalytics, {
      appId,
      metric,
      interval: 'total',
      from: '2026-09-30',
      to: '2026-11-21',
    });
    if (!answer.ok) throw new Error(answer.refusal.code);
    return answer.reply.total;
  }

  function expected(appId: string, metric: AnalyticsMetric): number {
    const counted = countedBy(events, appId, metric);
    if (metric !== 'visitors') return counted.length;
    const days = Map.groupBy(counted, ({ at }) => at.toISOString().slice(0, 10));
    const visitors = [...days.values()].reduce((sum, day) => sum + new Set(day.map(({ visitor }) => visitor)).size, 0);
    return Math.round((visitors / 53) * 100) / 100;
  }
});
