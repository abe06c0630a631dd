import { expect, test } from 'vitest';
import type { Delivery } from '../../delivery.ts';
import type { Carried } from '../../receiver.ts';
import { gathering } from './gather.ts';

interface Item extends Carried {
  readonly name: string;
}
const item = (name: string) => ({ name }) as Item;
const namesOf = (items: readonly Item[]) => items.map(({ name }) => name).join('');

/** Waits a few turns of the event loop: a batch begins in the turn after the one that makes room for it. */
async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
}

/** Returns a delivery that ends when the test says so, with the messages that are left. */
function delivering() {
  const calls: { items: readonly Item[]; end(left?: readonly Item[]): Promise<void> }[] = [];
  const delivery: Delivery<Item> = {
    state: { paused: false, retrying: false, deadLetters: 0, dropped: 0 },
    deliver: (items) =>
      new Promise((resolve) => {
        calls.push({
          items,
          end(left = []) {
            resolve(left);
            return turns();
          },
        });
      }),
  };
  return { calls, delivery, turn: turns };
}

test('what comes in one turn goes together, two batches at a time', async () => {
  const { calls, delivery, turn } = delivering();
  const bring = gathering(delivery, 10);
  const brought = ['ab', 'c'].map((names) => bring([...names].map(item)));
  await turn();
  brought.push(bring([item('d')]));
  await turn();
  brought.push(bring([item('e')]), bring([item('f')]));
  await turn();
  expect(calls.map(({ items }) => namesOf(items))).toEqual(['abc', 'd']);
  await calls[1]!.end();
  expect(calls.map(({ items }) => namesOf(items))).toEqual(['abc', 'd', 'ef']);
  await calls[0]!.end();
  await calls[2]!.end();
  expect(await Promise.all(brought)).toEqual([[], [], [], [], []]);
});

test('what is left is tried again by itself, so that none keeps the others, and then comes back to whoever brought it', async () => {
  const { calls, delivery, turn } = delivering();
  const bring = gathering(delivery, 10);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(item) as [Item, Item, Item, Item];
  const brought = [bring([a, b]), bring([c, d])];
  await turn();
  await calls[0]!.end([b, c, d]);
  expect(calls.slice(1).map(({ items }) => namesOf(items))).toEqual(['b', 'cd']);
  await calls[1]!.end();
  await calls[2]!.end([d]);
  expect(await Promise.all(brought)).toEqual([[], [d]]);
});

test('no batch is larger than it may be, and what is left of one leaves all that follows', async () => {
  const { calls, delivery, turn } = delivering();
  const bring = gathering(delivery, 2);
  const brought = bring([...'abcde'].map(item));
  const other = bring([item('f')]);
  await turn();
  expect(calls.map(({ items }) => namesOf(items))).toEqual(['ab', 'f']);
  await calls[0]!.end();
  expect(namesOf(calls[2]!.items)).toBe('cd');
  await calls[2]!.end([calls[2]!.items[1]!]);
  expect(namesOf(await brought)).toBe('de');
  await calls[1]!.end();
  expect(await other).toEqual([]);
});
