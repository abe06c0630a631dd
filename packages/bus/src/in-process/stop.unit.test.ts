// Start and stop of the in-process bus: tests beyond the conformance suite.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorOf } from '../conformance/gates.ts';
import { each, type Handler, told } from '../port.ts';
import { Add, Added, Look, sound, testBus } from './bus.testing.ts';
import { createInProcessBus } from './in-process-bus.ts';

const DRAIN_MS = 8_000;
const LAST_WORDS_MS = 500;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const log = { debug() {}, info() {}, warn() {}, error() {} };

describe('start', () => {
  test('names the requests that nobody answers', async () => {
    const bus = createInProcessBus({ log, expects: [Add, Look] });
    expect(await errorOf(bus.start())).toHaveProperty('message', 'nobody answers Add, Look');
  });

  test('is done once', async () => {
    const { bus } = await testBus({});
    expect(await errorOf(bus.start())).toHaveProperty('message', expect.stringContaining('already'));
  });
});

describe('stop', () => {
  test('tries again while it drains', async () => {
    let away = true;
    const add: Handler<typeof Add> = each(async ({ n }) => {
      if (away) throw new Error('away');
      return { reply: { sum: n } };
    });
    const { bus, health } = await testBus({ add });
    const asked = bus.ask(Add, { n: 1 }, { timeoutMs: 60_000 });
    await vi.waitFor(() => expect(health('Add').retrying).toBe(true));
    const stopped = bus.stop();
    await vi.advanceTimersByTimeAsync(DRAIN_MS / 2);
    away = false;
    await vi.advanceTimersByTimeAsync(DRAIN_MS / 2 - 1);
    expect(await asked).toEqual({ ok: true, reply: { sum: 1 } });
    await stopped;
  });

  test('gives up after 8 s on infrastructure that stays away, and says what was not done', async () => {
    const add = async () => Promise.reject(new Error('away'));
    const { bus, logged } = await testBus({ add, max: 2 });
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const failed = ids.map((id) => errorOf(bus.ask(Add, { n: 1 }, { id, timeoutMs: 60_000 })));
    const stopped = bus.stop();
    await vi.advanceTimersByTimeAsync(DRAIN_MS - 1);
    expect(bus.health().receivers[0]).toMatchObject({ queued: 1, running: 2, retrying: true });
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    for (const error of await Promise.all(failed)) expect(error).toHaveProperty('name', 'NoAnswer');
    const lost = logged.flatMap(({ fields }) => ('ids' in fields ? [fields.ids] : []));
    expect(lost).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  test('answers an asker whose handler has committed, though a listener was not done', async () => {
    const add: Handler<typeof Add> = each(async ({ n }) => ({ reply: { sum: n }, events: [told(Added, { n })] }));
    const listener = async () => Promise.reject(new Error('away'));
    const { bus } = await testBus({ add, listeners: { group: listener } });
    const asked = bus.ask(Add, { n: 1 }, { timeoutMs: 60_000 });
    const stopped = bus.stop();
    await vi.advanceTimersByTimeAsync(DRAIN_MS);
    await stopped;
    expect(await asked).toEqual({ ok: true, reply: { sum: 1 } });
  });

  test('does not wait for a handler that hangs, and names it', async () => {
    const { bus, logged } = await testBus({ add: () => new Promise(() => {}) });
    const failed = errorOf(bus.ask(Add, { n: 1 }));
    await vi.waitFor(() => expect(bus.health().receivers[0]!.running).toBe(1));
    const stopped = bus.stop();
    await vi.advanceTimersByTimeAsync(DRAIN_MS + LAST_WORDS_MS);
    await stopped;
    expect(await failed).toHaveProperty('name', 'NoAnswer');
    expect(logged.at(-1)).toMatchObject({ level: 'error', fields: { waiting: [{ name: 'Add', running: 1 }] } });
  });

  test('does not lose the way over a sink that stays away', async () => {
    const add = async () => Promise.reject(new Error('poison'));
    const deadLetters = async () => Promise.reject(new Error('no disk'));
    const { bus, logged } = await testBus({ add }, { deadLetters, attempts: 1 });
    expect(await errorOf(bus.ask(Add, { n: 1 }))).toHaveProperty('name', 'Failed');
    const stopped = bus.stop();
    await vi.advanceTimersByTimeAsync(DRAIN_MS);
    await stopped;
    expect(logged.at(-1)).toMatchObject({ level: 'error', fields: { message: 'Add', lost: true } });
  });

  test('wakes a receiver that rests', async () => {
    const add: Handler<typeof Add> = each(async ({ n }) => {
      if (n < 20) throw new Error('poison');
      return { reply: { sum: n } };
    });
    const { bus, health } = await testBus({ add }, { attempts: 1 });
    const asked = Array.from({ length: 21 }, (_, n) => bus.ask(Add, { n }, { timeoutMs: 60_000 }));
    const settled = Promise.allSettled(asked);
    await vi.waitFor(() => expect(health('Add').paused).toBe(true));
    await bus.stop();
    expect((await settled).map(({ status }) => status)).toContain('fulfilled');
  });

  test('lets no receiver rest while it drains', async () => {
    const { bus, letters } = await testBus({ add: async () => Promise.reject(new Error('poison')) }, { attempts: 1 });
    const asked = Promise.allSettled(Array.from({ length: 45 }, (_, n) => bus.ask(Add, { n })));
    await bus.stop();
    await asked;
    expect(letters).toHaveLength(45);
  });

  test('leaves no timer behind', async () => {
    const { bus } = await testBus({ add: sound().add });
    await bus.ask(Add, { n: 1 });
    await bus.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('idle waits for queues, handlers and listeners', async () => {
  const order: string[] = [];
  const add: Handler<typeof Add> = each(async ({ n }) => {
    order.push('handler');
    return { reply: { sum: n }, events: [told(Added, { n })] };
  });
  const listener = async () => {
    await new Promise(setImmediate);
    order.push('listener');
  };
  const { bus } = await testBus({ add, listeners: { group: listener } });
  await bus.idle();
  void bus.ask(Add, { n: 1 });
  await bus.idle();
  expect(order).toEqual(['handler', 'listener']);
});
