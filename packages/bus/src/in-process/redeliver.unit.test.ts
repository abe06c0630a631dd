import { event, request } from '@landfall/contracts';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createInProcessBus } from './in-process-bus.ts';
import type { InProcessBus } from './options.ts';

const Sung = event({
  name: 'Sung',
  description: 'For tests.',
  audience: 'internal',
  producer: 'test',
  topic: 'song.sung',
  data: z.object({ song: z.string() }),
  key: ({ song }) => song,
});
const Sing = request({
  kind: 'command',
  name: 'Sing',
  description: 'For tests.',
  topic: 'song.commands',
  input: z.object({ song: z.string() }),
  reply: z.object({}),
  refusals: {},
  key: ({ song }) => song,
});

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const ID = '0193b2f0-7a61-7c3e-8f4a-2f6f5a1d9c11';
const letter = { group: 'choir', message: 'Sung', messageId: ID, data: { song: 'la' } };

let bus: InProcessBus;
afterEach(() => bus.stop());

async function aBus({ broken = false } = {}) {
  const heard: string[] = [];
  bus = createInProcessBus({ log: quiet, attempts: 1 });
  for (const group of ['choir', 'critics'])
    bus.listen(group, Sung, async (batch) => {
      if (broken) throw new Error('no voice');
      heard.push(...batch.map(({ data, context }) => `${group} ${data.song} ${context.id}`));
    });
  bus.answer(Sing, async (batch) => {
    heard.push(...batch.map(({ data, context }) => `sing ${data.song} ${context.id}`));
    return batch.map(() => ({ reply: {} }));
  });
  await bus.start();
  return heard;
}

it('gives an event to its group alone, with the same id', async () => {
  const heard = await aBus();
  await bus.redeliver(letter);
  expect(heard).toEqual([`choir la ${ID}`]);
});

it('gives a command to its handler', async () => {
  const heard = await aBus();
  await bus.redeliver({ ...letter, group: 'song.commands', message: 'Sing' });
  expect(heard).toEqual([`sing la ${ID}`]);
});

it('rejects when it fails again', async () => {
  await aBus({ broken: true });
  await expect(bus.redeliver(letter)).rejects.toThrow('Sung failed');
});

it.each([
  [{ group: 'orchestra' }, 'nobody in orchestra handles it any more'],
  [{ message: 'Danced' }, 'nobody in choir handles it any more'],
  [{ data: { song: 7 } }, 'Sung'],
])('rejects %o', async (change, sentence) => {
  const heard = await aBus();
  await expect(bus.redeliver({ ...letter, ...change })).rejects.toThrow(sentence);
  expect(heard).toEqual([]);
});
