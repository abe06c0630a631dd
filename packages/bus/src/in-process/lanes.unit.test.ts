import { expect, it } from 'vitest';
import { gate } from '../conformance/gates.ts';
import type { Handler } from '../port.ts';
import { Add, testBus } from './bus.testing.ts';

it('what has another key need not wait for the batch that runs, and the lanes are reported as one', async () => {
  const [begun, held] = [gate(), gate()];
  const add: Handler<typeof Add> = async (batch) => {
    if (batch.some(({ data }) => data.n === 0)) {
      begun.open();
      await held.opened;
    }
    return batch.map(({ data }) => ({ reply: { sum: data.n } }));
  };
  const { bus } = await testBus({ add }, { lanes: 3 });
  const first = bus.ask(Add, { n: 0 });
  await begun.opened;
  let beside = 0;
  const others = Array.from({ length: 20 }, () => bus.ask(Add, { n: 1 }).then(() => beside++));
  // Messages in another lane are done after a few turns of the event loop. Messages behind the first message are not
  // done, however many turns pass.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(beside).toBeGreaterThan(0);
  expect(beside).toBeLessThan(20);
  expect(bus.health().receivers.filter(({ name }) => name === 'Add')).toHaveLength(1);
  held.open();
  await Promise.all([first, ...others]);
  await bus.stop();
});
