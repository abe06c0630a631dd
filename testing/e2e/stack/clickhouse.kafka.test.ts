// Analytics in ClickHouse, which reads the topics by itself. Its answers are those of PostgreSQL, and those of a plain count.
import { randomBytes, randomUUID } from 'node:crypto';
import { analyticsService } from '@landfall/analytics';
import { type OnClickHouse, onClickHouse, removeFacts } from '@landfall/analytics/clickhouse';
import { figureConformance, type TestedService } from '@landfall/analytics/conformance';
import { apps, rows as dashboardRows, filled, labels, zone } from '@landfall/analytics/dashboard-testing';
import { APPS, type TestEvent } from '@landfall/analytics/testing';
import { analyticsWorker } from '@landfall/analytics/worker';
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { createKafkaBus, type KafkaBus } from '@landfall/bus/kafka';
import { openSettling } from '@landfall/bus/settled';
import { runCommand } from '@landfall/cli/commands';
import {
  AppChanged,
  ListLiveEvents,
  QueryAnalytics,
  QueryCohorts,
  QueryFunnel,
  QueryReferrals,
} from '@landfall/contracts';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import {
  clickHouseMissing,
  describeWithKafka,
  describeWithProgram,
  startClickHouse,
  type TestClickHouse,
  testLogger,
} from '@landfall/testkit';
import { startWorker, type Worker } from '@landfall/worker/run';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

/** An event is a fact, and a restore one for each of its links. */
const linksOf = ({ links }: Record<string, unknown>) => (Array.isArray(links) ? links.length : 1);
/** The gateway waits as long for the answers to these questions. */
const WAIT = { timeoutMs: 25_000 };
const PATIENT = { timeout: 60_000, interval: 100 };
const [APP, OTHER] = APPS as [string, string];

describeWithKafka('analytics in ClickHouse', (brokers) =>
  describeWithProgram(clickHouseMissing(), 'with ClickHouse', () => {
    const prefix = `ch-${randomBytes(4).toString('hex')}.`;
    let own: TestDatabase;
    let database: Database;
    let server: TestClickHouse;
    let clickhouse: OnClickHouse['clickhouse'];
    let worker: Worker;
    let bus: KafkaBus;
    /** The same events in PostgreSQL. */
    let onPostgres: { testDatabase: TestDatabase; database: Database; bus: InProcessBus };
    let env: Record<string, string>;

    const landfall = async (...args: string[]) => {
      const said: string[] = [];
      await runCommand(args, env, (text) => said.push(text));
      return said;
    };

    beforeAll(async () => {
      own = await createTestDatabase(inject('databaseServerUrl'));
      database = connect({ url: own.url, max: 1 });
      server = await startClickHouse();
      ({ clickhouse } = onClickHouse(server.url, database));
      env = {
        DATABASE_URL: own.url,
        ANALYTICS_URL: server.url,
        KAFKA_BROKERS: brokers.join(),
        KAFKA_PREFIX: prefix,
        // The salts of all days from which the test sends events.
        KAFKA_EVENT_HOURS: String(24 * 365),
        // The events have fixed days, or are up to 100 days old. They must not expire.
        KEEP_ANALYTICS_DAYS: '3650',
        METRICS_PORT: '0',
        LOG_LEVEL: 'error',
      };
    });
    afterAll(async () => {
      await bus?.stop();
      await worker?.stop();
      await clickhouse?.close();
      await server?.stop();
      await database?.close();
      await own?.drop();
      await onPostgres?.bus.stop();
      await onPostgres?.database.close();
      await onPostgres?.testDatabase.drop();
    });

    it('the service says which command makes the tables', async () => {
      await expect(startWorker(analyticsWorker(env))).rejects.toThrow(
        '`landfall analytics clickhouse` makes the tables',
      );
    });

    it('the command makes the tables, again and again', async () => {
      for (let i = 0; i < 2; i++)
        expect(await landfall('analytics', 'clickhouse')).toEqual([
          'The tables are there, and ClickHouse reads the topics.',
        ]);
    });

    describe('every number equals a count over the list of events', () => {
      figureConformance(open, Number(process.env.TEST_ANALYTICS_EVENTS ?? 4_000));
    });

    it('gives the answers of PostgreSQL about funnels, cohorts and referrals', async () => {
      const range = { from: '2026-10-26', to: '2026-11-22' };
      const both = async (ask: (on: Pick<KafkaBus, 'ask'>) => Promise<object>) => {
        const [here, there] = await Promise.all([ask(bus), ask(onPostgres.bus)]);
        const { reply } = there as { reply: { previous?: object | null } };
        // Each store knows for itself since when it has everything.
        const previous = reply.previous && { ...reply.previous, complete: expect.any(Boolean) };
        expect(here).toEqual({
          ...there,
          reply: { ...reply, completeFrom: expect.any(String), ...(previous !== undefined && { previous }) },
        });
      };
      for (const groupBy of [null, 'link', 'country', 'utmCampaign', 'label:campaign'] as const)
        for (const filters of [[], [{ dimension: 'platform', value: 'ios' }]] as const)
          await both((on) =>
            on.ask(QueryFunnel, { appId: APP, groupBy, filters: [...filters], limit: 100, ...range }, WAIT),
          );
      for (const value of ['ios', null]) {
        const filters = [{ dimension: 'platform' as const, value }];
        await both((on) => on.ask(QueryCohorts, { appId: APP, filters, ...range }, WAIT));
        await both((on) =>
          on.ask(QueryReferrals, { appId: APP, label: 'inviter', filters, limit: 10, ...range }, WAIT),
        );
      }
      for (const groupBy of [null, 'browser'] as const)
        await both((on) =>
          on
            .ask(
              QueryAnalytics,
              {
                appId: APP,
                metric: 'visitors',
                interval: 'week',
                groupBy,
                limit: 10,
                previous: true,
                ...range,
                filters: [],
              },
              WAIT,
            )
            .then((answer) => {
              if (!answer.ok) throw new Error(answer.refusal.code);
              return { reply: { ...answer.reply, source: 'facts' } };
            }),
        );
    });

    it.each([null, 'install'] as const)('gives the latest events of PostgreSQL, of the kind %s', async (kind) => {
      const asked = { appId: OTHER, since: '2026-11-20T00:00:00.000Z', limit: 200, kind };
      const answers = await Promise.all([bus, onPostgres.bus].map((on) => on.ask(ListLiveEvents, asked)));
      expect(answers[0]).toEqual(answers[1]);
    });

    it('every panel of the dashboard shows the same from both stores', async () => {
      const chosen = {
        app: APP,
        zone: 'America/New_York',
        label: 'inviter',
        __from: Date.parse('2026-10-28T12:00:00Z'),
        __to: Date.parse('2026-11-20T12:00:00Z'),
      };
      // In one order, and times in one form.
      const plain = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row).replace(/\.000Z/g, 'Z')).sort();
      for (const { title, sql } of dashboardRows.flatMap(({ panels }) => panels)) {
        const [here, there] = await Promise.all([
          clickhouse.rows<object>(filled(sql.clickhouse, chosen)),
          onPostgres.database.rows(filled(sql.postgresql, chosen), [], 'anew'),
        ]);
        expect(there.length, title).toBeGreaterThan(0);
        expect([title, plain(here)]).toEqual([title, plain(there)]);
      }
      for (const { clickhouse: statement } of [apps, labels, zone])
        expect((await clickhouse.rows<object>(filled(statement, chosen))).length).toBeGreaterThan(0);
    });

    it('keeps no address and no user agent', async () => {
      const [row] = await clickhouse.rows<object>('select * from facts where kind = 1 limit 1');
      expect(JSON.stringify(row)).not.toMatch(/address|agent/i);
    });

    it('a record that is no event stops nothing, and is noted', async () => {
      await sendRaw();
      await expect
        .poll(
          () => clickhouse.rows('select reason, count() as n from rejected group by reason order by reason'),
          PATIENT,
        )
        .toEqual([
          { reason: 'The header ce_id is no UUID.', n: 1 },
          { reason: 'The value is no JSON.', n: 1 },
        ]);
    });

    it('reads everything again without counting twice, and finds what was lost', async () => {
      const before = await totalOf(APP);
      await clickhouse.run('alter table facts delete where kind = 1 settings mutations_sync = 1');
      expect(await totalOf(APP)).toBe(0);
      await landfall('analytics', 'rebuild');
      await expect.poll(() => totalOf(APP), PATIENT).toBe(before);
      await readToTheEnd();
      expect(await totalOf(APP)).toBe(before);
    });

    it('takes facts out again', async () => {
      const idsOf = async () =>
        (
          await clickhouse.rows<{ id: string }>('select id from facts final where app_id = {app:UUID}', { app: OTHER })
        ).map(({ id }) => id);
      const before = await idsOf();
      const removed = before.slice(0, 30);
      await removeFacts(clickhouse, OTHER, [removed.slice(0, 20), removed.slice(20)]);
      expect(new Set(await idsOf())).toEqual(new Set(before.slice(30)));

      const devices = () =>
        clickhouse.rows<{ device: string }>(
          'select distinct device from facts final where app_id = {app:UUID} and device is not null order by device',
          { app: OTHER },
        );
      const [first, ...others] = await devices();
      await removeFacts(clickhouse, OTHER, [[first!.device]]);
      expect(await devices()).toEqual(others);
      expect(await clickhouse.rows("select name from system.tables where name like 'removed_%'")).toEqual([]);
    });

    it('a question that takes too long is too large', async () => {
      const endless = 'select sum(number) from numbers(1000000000000) settings max_execution_time = 1';
      await expect(clickhouse.rows(endless)).rejects.toThrow('The question is too large for the store');
    });

    it('deletes salts that PostgreSQL has deleted', async () => {
      await database.rows("delete from analytics.salts where day < '2026-11-20'");
      const { mirror } = onClickHouse(server.url, database);
      await mirror.deleteSalts();
      expect(await clickhouse.rows("select count() as n from salts where day < '2026-11-20'")).toEqual([{ n: 0 }]);
    });

    async function totalOf(appId: string): Promise<number> {
      const answer = await bus.ask(
        QueryAnalytics,
        {
          appId,
          metric: 'clicks',
          interval: 'total',
          from: '2026-10-01',
          to: '2026-11-23',
        },
        WAIT,
      );
      if (!answer.ok) throw new Error(answer.refusal.code);
      return answer.reply.total;
    }

    async function open(): Promise<TestedService> {
      worker = await startWorker(analyticsWorker(env));
      bus = createKafkaBus({
        service: 'sender',
        instance: 'sender-1',
        connection: { brokers },
        prefix,
        topics: { partitions: 3, replication: 1, eventHours: 24, commandHours: 24, deadLetterHours: 24 },
        log: testLogger(),
        onFatal(error) {
          throw error;
        },
      });
      await bus.start();
      onPostgres = await startOnPostgres();
      const delivered = new Map<string, TestEvent>();
      const tellAll = async (events: readonly TestEvent[]) => {
        for (let i = 0; i < events.length; i += 500)
          await Promise.all(
            events
              .slice(i, i + 500)
              .flatMap(({ event, data, id, now }) =>
                [bus, onPostgres.bus].map((on) => on.tell(event, data as never, { id, now, timeoutMs: 60_000 })),
              ),
          );
      };
      return {
        source: 'facts',
        bus,
        async setZone(appId, version, timeZone) {
          const changed = { appId, version, hosts: [], timeZone };
          await Promise.all([bus, onPostgres.bus].map((on) => on.tell(AppChanged, changed)));
          await vi.waitFor(async () => {
            const [row] = await clickhouse.rows<{ version: number }>(
              'select version from apps final where app_id = {appId:UUID}',
              { appId },
            );
            expect(row?.version ?? 0).toBeGreaterThanOrEqual(version);
          }, PATIENT);
        },
        async deliver(events) {
          // Makes the salts of earlier days in the zones that were set.
          await landfall('analytics', 'clickhouse');
          await tellAll(events);
          for (const event of events) delivered.set(event.id, event);
          const facts = [...delivered.values()].reduce((sum, { data }) => sum + linksOf(data), 0);
          await vi.waitFor(async () => {
            expect(await clickhouse.rows('select count() as n from facts final')).toEqual([{ n: facts }]);
          }, PATIENT);
        },
        close: async () => {},
      };
    }

    /** Resolves when ClickHouse has read all records of the topics. Call it once the group has members: it asks them. */
    async function readToTheEnd() {
      const settling = openSettling({ brokers }, testLogger(), prefix);
      await settling.settled();
      await settling.close();
    }

    async function startOnPostgres() {
      const testDatabase = await createTestDatabase(inject('databaseServerUrl'));
      const database = connect({ url: testDatabase.url, max: 4 });
      const bus = createInProcessBus({ log: testLogger(), isTransient });
      analyticsService({ bus, database });
      await bus.start();
      return { testDatabase, database, bus };
    }

    async function sendRaw() {
      const { Kafka } = await import('kafkajs');
      const producer = new Kafka({ brokers: [...brokers], logLevel: 0 }).producer();
      await producer.connect();
      const headers = { ce_id: randomUUID(), ce_type: 'LinkClicked', ce_time: '2026-11-20T00:00:00.000Z' };
      await producer.send({
        topic: `${prefix}link.clicked`,
        messages: [
          { value: 'no JSON', headers },
          { value: JSON.stringify({ appId: APP }), headers: { ...headers, ce_id: 'x' } },
        ],
      });
      await producer.disconnect();
    }
  }),
);
