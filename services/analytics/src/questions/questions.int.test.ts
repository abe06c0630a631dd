import { randomUUID } from 'node:crypto';
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { QueryAnalytics } from '@landfall/contracts';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { analyticsService } from '../service.ts';

let testDatabase: TestDatabase;
let database: Database;
let bus: InProcessBus;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: testDatabase.url, max: 8 });
  bus = createInProcessBus({ log: testLogger(), isTransient });
  analyticsService({ bus, database });
  await bus.start();
});
afterAll(async () => {
  await bus?.stop();
  await database?.close();
  await testDatabase?.drop();
});

/** Asks by the day from counts, or by the hour from facts. */
async function ask(appId: string, caller: string, interval: 'day' | 'hour', timeoutMs = 25_000) {
  const range = { from: '2026-11-20', to: '2026-11-22', filters: [] };
  const input = { appId, caller, metric: 'clicks', groupBy: 'country', interval, ...range } as const;
  const answer = await bus.ask(QueryAnalytics, input, { timeoutMs });
  return answer.ok ? answer.reply.source : answer.refusal;
}

const refused = { code: 'TOO_MANY_QUESTIONS', facts: { seconds: 3 } };

it('forty long questions of one caller leave the figures of others alone: some wait, the others are refused', async () => {
  const locked = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  // Questions to facts take as long as this transaction.
  const lock = database.transaction(async (tx) => {
    await tx.rows('lock table analytics.facts in access exclusive mode');
    locked.resolve();
    await done.promise;
  });
  await locked.promise;
  const app = randomUUID();
  const long = Promise.all(Array.from({ length: 40 }, () => ask(app, 'ada', 'hour')));
  expect(await Promise.all(Array.from({ length: 12 }, () => ask(randomUUID(), 'bob', 'day')))).toEqual(
    new Array(12).fill('counts'),
  );
  expect(await ask(app, 'ada', 'day')).toBe('counts');
  done.resolve();
  await lock;
  const answers = await long;
  expect(answers.filter((answer) => answer === 'facts')).toHaveLength(11);
  expect(answers.filter((answer) => answer !== 'facts')).toEqual(new Array(29).fill(refused));
});

it('a question gives its place back', async () => {
  const app = randomUUID();
  for (let n = 0; n < 15; n++) expect(await ask(app, 'eve', 'hour')).toBe('facts');
});
