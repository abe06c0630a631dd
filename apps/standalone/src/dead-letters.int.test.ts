import { randomUUID } from 'node:crypto';
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { KeyUsed } from '@landfall/contracts';
import { deadLetterSink, isTransient } from '@landfall/db';
import { suiteDatabase } from '@landfall/db/fixture';
import { createLogger } from '@landfall/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deadLetterBox } from './dead-letters.ts';

const log = createLogger({ service: 'test', level: 'silent' });

const made = suiteDatabase(4);
let bus: InProcessBus;
let handle: () => Promise<void>;
beforeEach(async () => {
  await made.database.rows('delete from bus.dead_letters');
  bus = createInProcessBus({ log, isTransient, deadLetters: deadLetterSink(made.database) });
  bus.listen('account', KeyUsed, () => handle());
  await bus.start();
});
afterEach(() => bus.stop());

const box = (answerMs = 60_000) =>
  deadLetterBox({ database: made.database, bus, log, now: () => new Date(), answerMs });

const keep = () =>
  deadLetterSink(made.database)({
    id: randomUUID(),
    group: 'account',
    message: 'KeyUsed',
    key: 'key',
    data: { keyId: randomUUID(), requests: 1 },
    reason: 'Error: the first',
    attempts: 3,
    messageId: randomUUID(),
    at: new Date(),
  });

it('letters that fail again stay the same letters, with the new reason', async () => {
  for (let n = 0; n < 3; n++) await keep();
  handle = () => Promise.reject(new Error('still no'));
  const letters = box();
  const before = await letters.list('account');
  expect(await letters.replay('account')).toEqual({ replayed: 0, running: 0 });
  await bus.idle();
  const after = await letters.list('account');
  expect(after.map(({ place }) => place).toSorted()).toEqual(before.map(({ place }) => place).toSorted());
  for (const letter of after)
    expect(letter).toMatchObject({ reason: 'Error: still no', replayed: false, replaying: false });
});

it('a replay answers in time, says which letters go on, and takes none of them twice', async () => {
  const gate = Promise.withResolvers<void>();
  handle = () => gate.promise;
  for (let n = 0; n < 3; n++) await keep();
  const letters = box(50);
  expect(await letters.replay('account')).toEqual({ replayed: 0, running: 3 });
  expect((await letters.list('account')).map(({ replaying }) => replaying)).toEqual([true, true, true]);
  expect(await letters.replay('account')).toEqual({ replayed: 0, running: 0 });
  gate.resolve();
  await expect
    .poll(async () => (await letters.list('account')).map(({ replayed, replaying }) => [replayed, replaying]))
    .toEqual(Array(3).fill([true, false]));
});
