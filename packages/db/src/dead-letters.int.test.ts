import type { DeadLetter } from '@landfall/contracts';
import { describe, expect, it } from 'vitest';
import {
  countDeadLetters,
  deadLetterSink,
  deleteDeadLettersBefore,
  dropDeadLetters,
  markReplayed,
  readDeadLetters,
} from './dead-letters.ts';
import { suiteDatabase } from './fixture.testing.ts';

const made = suiteDatabase(2);

const letter = (number: number, changes: Partial<DeadLetter> = {}): DeadLetter => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  group: 'analytics',
  message: 'LinkClicked',
  key: 'key',
  data: { linkId: 'x', deep: { list: [1, null] } },
  reason: 'TypeError: no',
  attempts: 3,
  messageId: `10000000-0000-4000-8000-00000000000${number}`,
  at: new Date(Date.UTC(2026, 0, number)),
  ...changes,
});

describe('dead letters', () => {
  it('are stored as they are, once', async () => {
    const sink = deadLetterSink(made.database);
    await sink(letter(1));
    await sink(letter(1, { reason: 'again' }));
    expect(await made.database.prisma.deadLetter.findMany()).toEqual([
      { ...letter(1), replayedAt: null, droppedAt: null },
    ]);
  });

  it('are stored whatever they say', async () => {
    await deadLetterSink(made.database)(
      letter(2, { reason: `nul \0 ${'x'.repeat(100_000)}`, key: '\ud800', data: { nul: '\0' } }),
    );
    const stored = await made.database.prisma.deadLetter.findUnique({ where: { id: letter(2).id } });
    expect(stored?.data).toEqual({ nul: '\0' });
    expect(stored?.reason).toHaveLength(10_000);
  });

  it('are deleted from the oldest on, so many at once', async () => {
    for (const number of [3, 4, 5]) await deadLetterSink(made.database)(letter(number));
    const before = new Date(Date.UTC(2026, 0, 5));
    expect(await deleteDeadLettersBefore(made.database, before, 3)).toBe(3);
    expect(await deleteDeadLettersBefore(made.database, before, 3)).toBe(1);
    expect(await deleteDeadLettersBefore(made.database, before, 3)).toBe(0);
    expect((await made.database.prisma.deadLetter.findMany()).map(({ id }) => id)).toEqual([letter(5).id]);
  });

  it('keep one letter for a message, which tells of its last failure', async () => {
    const sink = deadLetterSink(made.database);
    await sink(letter(8, { group: 'fails again' }));
    await markReplayed(made.database, letter(8).id, new Date());
    const at = new Date(Date.UTC(2026, 1, 1));
    const again = { group: 'fails again', messageId: letter(8).messageId, reason: 'Error: still no', at };
    await sink(letter(9, again));
    const { id: place, ...kept } = letter(8, again);
    expect(await readDeadLetters(made.database, 'fails again')).toEqual([
      { place, ...kept, replayed: false, dropped: false },
    ]);
  });

  it('are replayed and dropped: they stay and do not count, until the message fails again', async () => {
    const group = 'drops';
    const numbers = [1, 2, 3];
    const kept = numbers.map((number) => letter(number, { group, id: `20000000-0000-4000-8000-00000000000${number}` }));
    const [first, second, third] = kept;
    for (const one of kept) await deadLetterSink(made.database)(one);
    await markReplayed(made.database, third!.id, new Date());
    expect(await countDeadLetters(made.database)).toContainEqual({ group, count: 2 });
    const drop = async (places?: readonly string[]) =>
      (await dropDeadLetters(made.database, group, places, new Date())).map(({ place }) => place);
    expect(await drop([second!.id])).toEqual([second!.id]);
    expect(await drop([second!.id])).toEqual([]);
    expect(await drop()).toEqual([first!.id]);
    expect(await drop()).toEqual([]);
    const after = await readDeadLetters(made.database, group);
    expect(after.map(({ replayed, dropped }) => (replayed ? 'replayed' : dropped && 'dropped'))).toEqual([
      'dropped',
      'dropped',
      'replayed',
    ]);
    expect(await countDeadLetters(made.database)).not.toContainEqual(expect.objectContaining({ group }));
    await deadLetterSink(made.database)({ ...first!, id: '20000000-0000-4000-8000-000000000009' });
    expect(await countDeadLetters(made.database)).toContainEqual({ group, count: 1 });
  });
});
