import { randomUUID } from 'node:crypto';
import { QueryAnalytics } from '@landfall/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Analytics, startAnalytics } from '../analytics.testing.ts';

let analytics: Analytics;
beforeAll(async () => {
  analytics = await startAnalytics();
});
afterAll(() => analytics?.close());

/** Asks by the day from counts, or by the hour from facts. */
async function ask(appId: string, caller: string, interval: 'day' | 'hour', timeoutMs = 25_000) {
  const range = { from: '2026-11-20', to: '2026-11-22', filters: [] };
  const input = { appId, caller, metric: 'clicks', groupBy: 'country', interval, ...range } as const;
  const answer = await analytics.bus.ask(QueryAnalytics, input, { timeoutMs });
  return answer.ok ? answer.reply.source : answer.refusal;
}

const refused = { code: 'TOO_MANY_QUESTIONS', facts: { seconds: 3 } };

it('forty long questions of one caller leave the figures of others alone: some wait, the others are refused', async () => {
  const locked = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  // Questions to facts take as long as this transaction.
  const lock = analytics.database.transaction(async (tx) => {
    await tx.rows('lock table analytics.facts in access exclusive mode');
    locked.resolve();
    await done.promise;
  });
  await locked.promise;
  const app = randomUUID();
  const long = Array.from({ length: 40 }, () => ask(app, 'ada', 'hour'));
  let answered = 0;
  for (const one of long) void one.then(() => answered++);
  expect(await Promise.all(Array.from({ length: 12 }, () => ask(randomUUID(), 'bob', 'day')))).toEqual(
    new Array(12).fill('counts'),
  );
  expect(await ask(app, 'ada', 'day')).toBe('counts');
  // The lock holds back those that may wait. One that came after it would find a place.
  await expect.poll(() => answered, { timeout: 20_000 }).toBe(29);
  done.resolve();
  await lock;
  const answers = await Promise.all(long);
  expect(answers.filter((answer) => answer === 'facts')).toHaveLength(11);
  expect(answers.filter((answer) => answer !== 'facts')).toEqual(new Array(29).fill(refused));
});

it('a question gives its place back', async () => {
  const app = randomUUID();
  for (let n = 0; n < 15; n++) expect(await ask(app, 'eve', 'hour')).toBe('facts');
});
