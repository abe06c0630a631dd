import { afterEach, expect, it } from 'vitest';
import { each, type Handler, type Listener } from '../port.ts';
import { type Add, type Added, testBus } from './bus.testing.ts';
import type { InProcessBus } from './core.ts';

const ID = '0193b2f0-7a61-7c3e-8f4a-2f6f5a1d9c11';
const letter = { group: 'choir', message: 'Added', messageId: ID, data: { n: 7 } };

let bus: InProcessBus;
afterEach(() => bus.stop());

async function aBus({ broken = false } = {}) {
  const heard: string[] = [];
  const listener = (group: string) => async (batch: Parameters<Listener<typeof Added>>[0]) => {
    if (broken) throw new Error('no voice');
    heard.push(...batch.map(({ data, context }) => `${group} ${data.n} ${context.id}`));
  };
  const add: Handler<typeof Add> = each(async ({ n }, { id }) => {
    heard.push(`add ${n} ${id}`);
    return { reply: { sum: n } };
  });
  const listeners = { choir: listener('choir'), critics: listener('critics') };
  ({ bus } = await testBus({ add, listeners }, { attempts: 1 }));
  return heard;
}

it('gives an event to its group alone, and a command to its handler, with the same id', async () => {
  const heard = await aBus();
  await bus.redeliver(letter);
  await bus.redeliver({ ...letter, group: 'test.commands', message: 'Add' });
  expect(heard).toEqual([`choir 7 ${ID}`, `add 7 ${ID}`]);
});

it('rejects when it fails again', async () => {
  await aBus({ broken: true });
  await expect(bus.redeliver(letter)).rejects.toThrow('Added failed');
});

it.each([
  [{ group: 'orchestra' }, 'nobody in orchestra handles it any more'],
  [{ message: 'Danced' }, 'nobody in choir handles it any more'],
  [{ data: { n: 'la' } }, 'Added'],
])('rejects %o', async (change, sentence) => {
  const heard = await aBus();
  await expect(bus.redeliver({ ...letter, ...change })).rejects.toThrow(sentence);
  expect(heard).toEqual([]);
});
