import { expect, test } from 'vitest';
import { errorOf } from '../../conformance/gates.ts';
import { createDispatch, type QueuedMessage, type Ways } from './dispatch.ts';

/** Returns a dispatch whose requests end when the test says so, and the messages that it sends. */
function dispatching() {
  const sent: { way: keyof Ways; what: string[]; ok(): Promise<void>; fail(): Promise<void> }[] = [];
  const way = (name: keyof Ways) => (items: readonly QueuedMessage[]) =>
    new Promise<void>((resolve, reject) => {
      const settled = async (end: () => void) => {
        end();
        await new Promise(setImmediate);
      };
      sent.push({
        way: name,
        what: items.map(({ message }) => `${message.partition}${message.value}`),
        ok: () =>
          settled(() => {
            if (name === 'untilDone') for (const item of items) item.settle();
            resolve();
          }),
        fail: () => settled(() => reject(new Error('away'))),
      });
    });
  /** Its waits, which end when the test says so. No time passes. */
  const waits: PromiseWithResolvers<void>[] = [];
  const clock = {
    now: () => 0,
    sleep() {
      const wait = Promise.withResolvers<void>();
      waits.push(wait);
      return wait.promise;
    },
  };
  const dispatch = createDispatch({ once: way('once'), untilDone: way('untilDone') }, clock);
  const settled: string[] = [];
  function push(partition: number, value: string, deadline?: number) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const item: QueuedMessage = {
      topic: 't',
      message: { partition, value },
      bytes: 100,
      deadline,
      sent: false,
      settle(error) {
        settled.push(`${partition}${value}`);
        if (error) reject(error);
        else resolve();
      },
    };
    promise.catch(() => {});
    dispatch.push(item);
    return { item, acknowledged: promise };
  }
  return { dispatch, sent, settled, waits, push, turn: () => new Promise(setImmediate) };
}

test('what gathers while a request is under way goes with the next', async () => {
  const { sent, settled, push, turn } = dispatching();
  push(0, 'a');
  push(1, 'b');
  await turn();
  push(0, 'c');
  push(2, 'd');
  expect(sent.map(({ what }) => what)).toEqual([['0a', '1b']]);
  await sent[0]!.ok();
  expect(settled).toEqual(['0a', '1b']);
  expect(sent.map(({ what }) => what)).toEqual([
    ['0a', '1b'],
    ['0c', '2d'],
  ]);
});

test('a request that fails is sent again by partition, and what came meanwhile stays behind it', async () => {
  const { sent, settled, push, turn } = dispatching();
  push(0, 'a');
  push(1, 'b');
  await turn();
  push(0, 'c');
  push(2, 'd');
  await sent[0]!.fail();
  expect(sent.slice(1).map(({ way, what }) => [way, what])).toEqual([
    ['untilDone', ['0a']],
    ['untilDone', ['1b']],
    ['once', ['2d']],
  ]);
  push(0, 'e');
  await sent[2]!.ok();
  await sent[3]!.ok();
  // Partition 1 works again. Partition 0 still fails.
  push(1, 'f');
  await turn();
  expect(sent.slice(4).map(({ way, what }) => [way, what])).toEqual([['once', ['1f']]]);
  await sent[1]!.ok();
  expect(sent.at(-1)).toMatchObject({ way: 'untilDone', what: ['0c', '0e'] });
  await sent.at(-1)!.ok();
  push(0, 'g');
  await sent[4]!.ok();
  expect(sent.at(-1)).toMatchObject({ way: 'once', what: ['0g'] });
  expect(settled).toEqual(['1b', '2d', '0a', '0c', '0e', '1f']);
});

test('what is past its deadline is not sent, and what was sent cannot be withdrawn', async () => {
  const { dispatch, sent, push, turn } = dispatching();
  const late = push(0, 'late', Date.now() - 1);
  const sentOne = push(0, 'a');
  const taken = push(0, 'taken');
  expect(dispatch.withdraw(taken.item)).toBe(true);
  await turn();
  expect(sent.map(({ what }) => what)).toEqual([['0a']]);
  expect(await errorOf(late.acknowledged)).toHaveProperty('message', expect.stringContaining('its time was over'));
  expect(dispatch.withdraw(sentOne.item)).toBe(false);
});

test('a request holds 500 messages at the most', async () => {
  const { sent, push, turn } = dispatching();
  for (let n = 0; n < 1_001; n++) push(n % 3, `${n}`);
  await turn();
  await sent[0]!.ok();
  expect(sent.map(({ what }) => what.length)).toEqual([500, 500]);
});

test('a busy sender waits a moment, so that its next request holds more', async () => {
  const { sent, push, turn, waits } = dispatching();
  for (const value of 'abcd') push(0, value);
  await turn();
  push(0, 'e');
  await sent[0]!.ok();
  push(0, 'f');
  await turn();
  expect(sent).toHaveLength(1);
  waits[0]!.resolve();
  await turn();
  expect(sent.map(({ what }) => what.length)).toEqual([4, 2]);
});

test('messages that wait for the same request know its number', async () => {
  const { dispatch, sent, push, turn } = dispatching();
  const numbers = [dispatch.turn()];
  push(0, 'a');
  numbers.push(dispatch.turn());
  await turn();
  push(0, 'b');
  numbers.push(dispatch.turn());
  await sent[0]!.ok();
  numbers.push(dispatch.turn());
  expect(numbers).toEqual([0, 0, 1, 2]);
});
