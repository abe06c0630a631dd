import { expect, it } from 'vitest';
import { Add, testBus } from './bus.testing.ts';

/**
 * Sends 20 requests while the first request is held up. Returns the number of requests that are answered in this time.
 */
async function answeredBeside(lanes: number): Promise<number> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let started = () => {};
  const begun = new Promise<void>((resolve) => {
    started = resolve;
  });
  const { bus } = await testBus(
    {
      add: async (batch) => {
        if (batch.some(({ data }) => data.n === 0)) {
          started();
          await held;
        }
        return batch.map(({ data }) => ({ reply: { sum: data.n } }));
      },
    },
    { lanes },
  );
  const first = bus.ask(Add, { n: 0 });
  await begun;
  let answered = 0;
  const others = Array.from({ length: 20 }, async () => {
    await bus.ask(Add, { n: 1 });
    answered++;
  });
  // Messages in another lane are done after a few turns of the event loop. Messages behind the first message are not
  // done, however many turns pass.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  const beside = answered;
  release();
  await Promise.all([first, ...others]);
  await bus.stop();
  return beside;
}

it('with one lane everything waits for the batch that runs', async () => {
  expect(await answeredBeside(1)).toBe(0);
});

it('with several lanes what has another key need not wait', async () => {
  const beside = await answeredBeside(3);
  expect(beside).toBeGreaterThan(0);
  // Messages in the lane of the first message must wait.
  expect(beside).toBeLessThan(20);
});

it('reports its lanes as one', async () => {
  const { bus } = await testBus({ add: async (batch) => batch.map(() => ({ reply: { sum: 0 } })) }, { lanes: 3 });
  expect(bus.receivers().filter(({ name }) => name === 'Add')).toHaveLength(1);
  await bus.stop();
});
