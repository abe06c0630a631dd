// The in-process bus with failing batches: tests beyond the conformance suite.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { errorOf, gate } from '../conformance/gates.ts';
import { Busy, each, type Handler, NoAnswer, told } from '../port.ts';
import { Add, Added, Look, testBus } from './bus.testing.ts';

const PAUSE_MS = 30_000;
const replies = (batch: readonly { data: { n: number } }[]) => batch.map(({ data }) => ({ reply: { sum: data.n } }));

/** Throws on a batch that contains one of these numbers, and records the batches that it gets. */
function failing(...poison: number[]) {
  const seen: number[][] = [];
  const add: Handler<typeof Add> = async (batch) => {
    const numbers = batch.map(({ data }) => data.n);
    seen.push(numbers);
    if (numbers.some((n) => poison.includes(n))) throw new Error('poison');
    return replies(batch);
  };
  return { add, seen };
}

afterEach(() => {
  vi.useRealTimers();
});
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

describe('a batch that throws', () => {
  test('is halved until the culprit stands alone', async () => {
    const { add, seen } = failing(5);
    const { bus } = await testBus({ add });
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => bus.ask(Add, { n })));
    expect(asked.map(({ status }) => status === 'fulfilled')).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((n) => n !== 5));
    expect(seen).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3], [4, 5, 6, 7], [4, 5], [4], [5], [5], [5], [6, 7]]);
  });

  test('with Busy or NoAnswer of somebody whom the handler asked is tried again', async () => {
    const errors = [new Busy('full'), new NoAnswer('slow'), new Error('away')];
    const add: Handler<typeof Add> = each(async ({ n }) => {
      const error = errors.pop();
      if (error) throw error;
      return { reply: { sum: n } };
    });
    const { bus, letters, logged } = await testBus({ add }, { attempts: 1 });
    expect(await bus.ask(Add, { n: 1 })).toEqual({ ok: true, reply: { sum: 1 } });
    expect(letters).toEqual([]);
    expect(logged.map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});

describe('dead letters', () => {
  test('are tried again when the sink fails, while the asker and the neighbours are told', async () => {
    const { add } = failing(1);
    const kept: string[] = [];
    const sinkFails = gate();
    let fails = 3;
    const { bus, errors, health } = await testBus(
      { add },
      {
        deadLetters: async ({ id }) => {
          kept.push(id);
          await sinkFails.opened;
          if (fails-- > 0) throw new Error('no disk');
        },
      },
    );
    const [failed, other] = [errorOf(bus.ask(Add, { n: 1 })), bus.ask(Add, { n: 2 })];
    expect(await failed).toHaveProperty('name', 'Failed');
    sinkFails.open();
    expect(await other).toMatchObject({ ok: true });
    await bus.idle();
    expect(kept).toHaveLength(4);
    expect(new Set(kept).size).toBe(1);
    expect(errors().filter((message) => message.includes('could not be kept'))).toHaveLength(3);
    expect(health('Add')).toMatchObject({ deadLetters: 1, queued: 0, running: 0 });
  });

  test('twenty in a row make the receiver rest for 30 s', async () => {
    fakeTimers();
    const seen: number[] = [];
    const { bus, health, errors, letters } = await testBus(
      {
        listeners: {
          group: async (batch) => {
            seen.push(...batch.map(({ data }) => data.n));
            if (seen.at(-1)! < 20) throw new Error('poison');
          },
        },
        max: 1,
      },
      { attempts: 1 },
    );
    const tells = Array.from({ length: 21 }, (_, n) => bus.tell(Added, { n }, { timeoutMs: 60_000 }));
    await Promise.all(tells.slice(0, 20));
    await vi.waitFor(() => expect(health('group: Added').paused).toBe(true));
    expect(letters).toHaveLength(20);
    expect(errors().at(-1)).toContain('many dead letters in a row');
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(seen).not.toContain(20);
    await vi.advanceTimersByTimeAsync(1);
    await tells[20];
    expect(seen).toContain(20);
    expect(health('group: Added')).toMatchObject({ paused: false, deadLetters: 20 });
  });

  test('with one that passes between them do not', async () => {
    const { add } = failing(...Array.from({ length: 30 }, (_, n) => n).filter((n) => n !== 15));
    const { bus, health, letters } = await testBus({ add, max: 1 }, { attempts: 1 });
    await Promise.allSettled(Array.from({ length: 30 }, (_, n) => bus.ask(Add, { n })));
    await bus.idle();
    expect(letters).toHaveLength(29);
    expect(health('Add').paused).toBe(false);
  });

  test('are not needed for queries, which never make the handler rest', async () => {
    const look = async () => Promise.reject(new Error('poison'));
    const { bus, health, letters } = await testBus({ look, max: 1 }, { attempts: 1 });
    await Promise.allSettled(Array.from({ length: 25 }, (_, n) => bus.ask(Look, { n })));
    await bus.idle();
    expect(letters).toEqual([]);
    expect(health('Look')).toMatchObject({ paused: false, deadLetters: 0 });
  });
});

describe('health', () => {
  test('shows what waits, runs, retries and was dropped', async () => {
    const shut = gate();
    let away = true;
    const look: Handler<typeof Look> = each(async ({ n }) => {
      await shut.opened;
      if (away) throw new Error('away');
      return { reply: { sum: n } };
    });
    const { bus, health } = await testBus({ look });
    const stale = errorOf(bus.ask(Look, { n: 1 }, { timeoutMs: 200 }));
    const waiting = errorOf(bus.ask(Look, { n: 2 }, { timeoutMs: 200 }));
    const asked = bus.ask(Look, { n: 3 });
    // Looks far more often than the requests time out.
    const often = { interval: 2 };
    await vi.waitFor(() => expect(health('Look')).toMatchObject({ queued: 2, running: 1, retrying: false }), often);
    await Promise.all([stale, waiting]);
    shut.open();
    await vi.waitFor(() => expect(health('Look').retrying).toBe(true));
    away = false;
    expect(await asked).toEqual({ ok: true, reply: { sum: 3 } });
    await bus.idle();
    // One query was dropped during its retries. The other query was dropped before its first attempt.
    expect(health('Look')).toMatchObject({ queued: 0, running: 0, retrying: false, dropped: 2, deadLetters: 0 });
  });
});

test('the bound of a queue is for what comes from outside: the events of a commit are always taken', async () => {
  const shut = gate();
  const heard: number[] = [];
  const add: Handler<typeof Add> = each(async ({ n }) => ({
    reply: { sum: n },
    events: Array.from({ length: n }, () => told(Added, { n })),
  }));
  const listener = async (batch: readonly { data: { n: number } }[]) => {
    await shut.opened;
    heard.push(...batch.map(({ data }) => data.n));
  };
  const { bus, health } = await testBus({ add, listeners: { group: listener } }, { queueSize: 2 });
  const asked = bus.ask(Add, { n: 10 });
  await vi.waitFor(() => expect(health('group: Added').running).toBe(10));
  const more = bus.ask(Add, { n: 10 });
  await vi.waitFor(() => expect(health('group: Added').queued).toBe(10));
  const tells = [bus.tell(Added, { n: 1 }), bus.tell(Added, { n: 2 })];
  expect(await errorOf(bus.tell(Added, { n: 3 }))).toHaveProperty('name', 'Busy');
  shut.open();
  await Promise.all([asked, more, ...tells]);
  expect(heard).toHaveLength(22);
});

describe('a handler that breaks the rules after its commit', () => {
  test.each([undefined, [null], []])('by returning %j fails, once', async (outcomes) => {
    const add = vi.fn(async () => outcomes) as unknown as Handler<typeof Add>;
    const { bus, errors, letters } = await testBus({ add });
    expect(await errorOf(bus.ask(Add, { n: 1 }))).toHaveProperty('name', 'Failed');
    expect(add).toHaveBeenCalledTimes(1);
    expect(errors()).toHaveLength(1);
    expect(letters).toEqual([]);
  });

  test('by telling an event that its contract does not allow fails; the other events are told', async () => {
    const add: Handler<typeof Add> = async (batch) =>
      batch.map(({ data }) => ({
        reply: { sum: 0 },
        events: [told(Added, { n: 0.5 * data.n }), told(Added, { n: data.n })],
      }));
    const heard: number[] = [];
    const listener = async (batch: readonly { data: { n: number } }[]) =>
      void heard.push(...batch.map((m) => m.data.n));
    const { bus, errors } = await testBus({ add, listeners: { group: listener } });
    const asked = await Promise.allSettled([bus.ask(Add, { n: 1 }), bus.ask(Add, { n: 2 })]);
    expect(asked).toMatchObject([{ reason: { name: 'Failed' } }, { value: { ok: true } }]);
    await bus.idle();
    expect(heard).toEqual([1, 1, 2]);
    expect(errors()).toHaveLength(1);
  });
});
