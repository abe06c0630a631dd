// Redelivery accepts a correct handler and finds a wrong handler. The tests use wrong handlers in each mode.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { errorOf } from '../conformance/gates.ts';
import { each, type Handler, told } from '../port.ts';
import { eventId } from '../uuid5.ts';
import { Add, Added, Look, sound, testBus } from './bus.testing.ts';

/** A wrong handler: adds to the sum on every call. */
const counting = () => {
  let sum = 0;
  const add: Handler<typeof Add> = async (batch) =>
    batch.map(({ data }) => {
      sum += data.n;
      return { reply: { sum } };
    });
  return { add, sum: () => sum };
};

/** A wrong handler: returns the same answer, but publishes a different event on every call. */
const telling = (): Handler<typeof Add> => {
  let calls = 0;
  return async (batch) =>
    batch.map(({ data }) => ({ reply: { sum: data.n }, events: [told(Added, { n: data.n + calls++ })] }));
};

describe.each(['doubled', 'again'] as const)('mode %s', (redelivery) => {
  test('a sound handler answers, and its events keep their ids', async () => {
    const { add, sum, calls } = sound();
    const heard: string[] = [];
    const listener = async (batch: readonly { context: { id: string } }[]) =>
      void heard.push(...batch.map(({ context }) => context.id));
    const { bus } = await testBus({ add, listeners: { group: listener } }, { redelivery });
    const ids = [randomUUID(), randomUUID()];
    const answers = await Promise.all(ids.map((id, i) => bus.ask(Add, { n: i + 1 }, { id })));
    expect(answers).toEqual([
      { ok: true, reply: { sum: 1 } },
      { ok: true, reply: { sum: 3 } },
    ]);
    expect(sum()).toBe(3);
    expect(calls).toEqual(redelivery === 'doubled' ? [[...ids, ...ids]] : [ids, ids]);
    expect(new Set(heard)).toEqual(new Set(ids.map((id) => eventId(id, 'Added', 0))));
    // Mode `doubled`: each event comes twice in the listener's batch. Mode `again`: each event is published twice, and
    // that batch is delivered twice.
    expect(heard).toHaveLength(redelivery === 'doubled' ? 4 : 8);
    expect(bus.violations).toEqual([]);
  });

  test('a handler that adds twice is caught', async () => {
    const { bus, errors } = await testBus({ add: counting().add }, { redelivery });
    const error = await errorOf(bus.ask(Add, { n: 1 }));
    expect(error).toMatchObject({ name: 'Failed', message: expect.stringContaining('"sum":2') });
    expect(bus.violations).toEqual([expect.stringMatching(/^Add [0-9a-f-]{36}: first .*"sum":1.*, then .*"sum":2/)]);
    expect(errors()).toHaveLength(1);
  });

  test('a handler that tells other events is caught', async () => {
    const { bus } = await testBus({ add: telling() }, { redelivery });
    expect(await errorOf(bus.ask(Add, { n: 1 }))).toHaveProperty('name', 'Failed');
    expect(bus.violations).toEqual([expect.stringContaining('"Added"')]);
  });

  test('a handler that throws on what it has done is caught', async () => {
    const done = new Set<string>();
    const add: Handler<typeof Add> = async (batch) => {
      const rows = new Set(done);
      for (const { context } of batch) {
        if (rows.has(context.id)) throw new Error('duplicate key');
        rows.add(context.id);
      }
      for (const id of rows) done.add(id);
      return batch.map(() => ({ reply: { sum: 0 } }));
    };
    const { bus, letters } = await testBus({ add }, { redelivery });
    const asked = await Promise.all([1, 2].map((n) => errorOf(bus.ask(Add, { n }))));
    expect(asked).toMatchObject([{ name: 'Failed' }, { name: 'Failed' }]);
    expect(bus.violations).toHaveLength(2);
    expect(bus.violations[0]).toContain('duplicate key');
    expect(letters).toEqual([]);
  });

  test('a listener that throws on what it has done is caught', async () => {
    const done = new Set<string>();
    const { bus } = await testBus(
      {
        listeners: {
          group: async (batch) => {
            const ids = batch.map(({ context }) => context.id);
            if (new Set(ids).size < ids.length || ids.some((id) => done.has(id))) throw new Error('duplicate key');
            for (const id of ids) done.add(id);
          },
        },
      },
      { redelivery },
    );
    await bus.tell(Added, { n: 1 });
    expect(bus.violations).toEqual([expect.stringContaining('group: Added')]);
  });

  test('what fails for itself is no violation', async () => {
    const add = async () => Promise.reject(new Error('never'));
    const { bus, letters } = await testBus({ add }, { redelivery });
    expect(await errorOf(bus.ask(Add, { n: 1 }))).toHaveProperty('name', 'Failed');
    expect(letters).toMatchObject([{ attempts: 3 }]);
    expect(bus.violations).toEqual([]);
  });

  test('a refusal must be the same too', async () => {
    let calls = 0;
    const add: Handler<typeof Add> = each(async () => ({ refusal: { code: 'NEGATIVE', facts: { n: calls++ } } }));
    const { bus } = await testBus({ add }, { redelivery });
    expect(await errorOf(bus.ask(Add, { n: 1 }))).toHaveProperty('name', 'Failed');
    expect(bus.violations).toHaveLength(1);
  });

  test('queries come once', async () => {
    let calls = 0;
    const look: Handler<typeof Look> = async (batch) => batch.map(() => ({ reply: { sum: ++calls } }));
    const { bus } = await testBus({ look }, { redelivery });
    expect(await bus.ask(Look, { n: 1 })).toEqual({ ok: true, reply: { sum: 1 } });
  });

  test('no batch is larger than the handler allows', async () => {
    for (const max of [1, 3]) {
      const { add, calls, sum } = sound();
      const { bus } = await testBus({ add, max }, { redelivery });
      await Promise.all(Array.from({ length: 7 }, () => bus.ask(Add, { n: 1 })));
      expect(Math.max(...calls.map((ids) => ids.length))).toBe(max === 3 && redelivery === 'doubled' ? 2 : max);
      expect(calls.flat()).toHaveLength(14);
      expect(sum()).toBe(7);
    }
  });

  test('a reply that its contract does not allow is caught', async () => {
    const add = (async (batch: readonly unknown[]) => batch.map(() => ({ reply: { sum: 0.5 } }))) as unknown as Handler<
      typeof Add
    >;
    const { bus } = await testBus({ add }, { redelivery });
    expect(await errorOf(bus.ask(Add, { n: 1 }))).toHaveProperty('name', 'Failed');
    expect(bus.violations).toHaveLength(1);
  });
});

describe('mode recorded', () => {
  const at = (start: number) => {
    let now = start;
    return () => now++;
  };

  test('replay delivers every command that was not refused and every event once more, in order', async () => {
    const { add, sum } = sound();
    const log: [string, string, number][] = [];
    const noted: Handler<typeof Add> = (batch) => {
      for (const { context } of batch) log.push(['Add', context.id, context.now.getTime()]);
      return add(batch);
    };
    const listener = async (batch: readonly { context: { id: string; now: Date } }[]) => {
      for (const { context } of batch) log.push(['Added', context.id, context.now.getTime()]);
    };
    const options = { redelivery: 'recorded', clock: at(1_000) } as const;
    const { bus } = await testBus({ add: noted, listeners: { group: listener } }, options);
    const ids = Array.from({ length: 4 }, () => randomUUID());
    await bus.ask(Add, { n: 1 }, { id: ids[0]! });
    await bus.ask(Add, { n: -1 }, { id: ids[1]! });
    await bus.tell(Added, { n: 5 }, { id: ids[2]!, now: new Date(7) });
    await bus.ask(Add, { n: 2 }, { id: ids[3]! });
    const [told0, told3] = [eventId(ids[0]!, 'Added', 0), eventId(ids[3]!, 'Added', 0)];
    expect(log.map(([, id]) => id)).toEqual([ids[0], told0, ids[1], ids[2], ids[3], told3]);

    const first = log.splice(0);
    await bus.replay();
    const seen = new Map(first.map((entry) => [entry[1], entry]));
    // In the replay, a command publishes its events again, and the recorded events also come separately.
    expect(log.map(([, id]) => id)).toEqual([told0, ids[0], told0, ids[2], told3, ids[3], told3]);
    for (const entry of log) expect(entry).toEqual(seen.get(entry[1]));
    expect(sum()).toBe(3);

    const replayed = log.splice(0);
    await bus.replay();
    expect(log).toEqual(replayed);
    expect(bus.violations).toEqual([]);
  });

  test('a handler that adds every time shows in what the test looks at', async () => {
    const { add, sum } = counting();
    const { bus } = await testBus({ add }, { redelivery: 'recorded' });
    await bus.ask(Add, { n: 1 });
    expect(sum()).toBe(1);
    await bus.replay();
    expect(sum()).toBe(2);
  });

  test('a command that is refused or fails when it comes again is caught', async () => {
    const done = new Set<string>();
    const add: Handler<typeof Add> = each(async ({ n }, { id }) => {
      if (!done.has(id)) {
        done.add(id);
        return { reply: { sum: n } };
      }
      if (n === 1) throw new Error('done already');
      return { refusal: { code: 'NEGATIVE', facts: { n } } };
    });
    const { bus } = await testBus({ add }, { redelivery: 'recorded' });
    await bus.ask(Add, { n: 1 });
    await bus.ask(Add, { n: 2 });
    await bus.replay();
    expect(bus.violations).toEqual([
      expect.stringContaining('failed when it came again'),
      expect.stringContaining('refused when it came again'),
    ]);
  });

  test('without the mode there is nothing to replay', async () => {
    const { bus } = await testBus({});
    expect(await errorOf(bus.replay())).toHaveProperty('message', expect.stringContaining('recorded'));
  });
});
