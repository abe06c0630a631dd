// Redelivery accepts a correct handler and finds a wrong handler. The tests use wrong handlers in each mode.
import { randomUUID } from 'node:crypto';
import { createInProcessBus, each, eventId, type Handler, type Listener, type Message, told } from '@landfall/bus';
import { Add, Added, Look, sound } from '@landfall/bus/testing';
import { describe, expect, test } from 'vitest';
import { testLogger } from '../logger.ts';
import { type Redelivery, redelivering } from './redelivery.ts';

interface Receivers {
  add?: Handler<typeof Add>;
  look?: Handler<typeof Look>;
  listener?: Listener<typeof Added>;
  max?: number;
}

/** Starts a bus that redelivers in this mode, with these handlers. Its clock says 1, 2, 3. */
async function aBus(mode: Redelivery, { add, look, listener, max = 500 }: Receivers) {
  let now = 0;
  const bus = redelivering(createInProcessBus({ log: testLogger(), clock: () => ++now }), mode, () => false);
  if (add) bus.answer(Add, add, { max });
  if (look) bus.answer(Look, look);
  if (listener) bus.listen('group', Added, listener);
  await bus.start();
  return bus;
}

/** Wrong handlers, and what is said of each. */
const wrong: Record<string, () => [handler: Handler<typeof Add>, violation: RegExp]> = {
  'adds on every call'() {
    let sum = 0;
    const add: Handler<typeof Add> = async (batch) =>
      batch.map(({ data }) => {
        sum += data.n;
        return { reply: { sum } };
      });
    return [add, /Add [0-9a-f-]{36}: first .*"sum":1.*, then .*"sum":2/];
  },
  'tells another event on every call'() {
    let calls = 0;
    const add: Handler<typeof Add> = async (batch) =>
      batch.map(() => ({ reply: { sum: 1 }, events: [told(Added, { n: calls++ })] }));
    return [add, /"Added"/];
  },
  'refuses with other facts on every call'() {
    let calls = 0;
    return [each(async () => ({ refusal: { code: 'NEGATIVE', facts: { n: calls++ } } })), /"NEGATIVE"/];
  },
  'throws on what it has done'() {
    const done = new Set<string>();
    const add: Handler<typeof Add> = async (batch) => {
      const ids = batch.map(({ context }) => context.id);
      if (new Set(ids).size < ids.length || ids.some((id) => done.has(id))) throw new Error('duplicate key');
      for (const id of ids) done.add(id);
      return batch.map(() => ({ reply: { sum: 0 } }));
    };
    return [add, /throws when it comes .*duplicate key/];
  },
  'folds what comes twice'() {
    const done = new Set<string>();
    const add: Handler<typeof Add> = async (batch) => {
      const fresh = batch.filter(({ context }) => !done.has(context.id) && done.add(context.id));
      return fresh.map(() => ({ reply: { sum: 0 } }));
    };
    return [add, /then undefined/];
  },
};

describe.each(['doubled', 'again'] as const)('mode %s', (mode) => {
  test('a sound handler answers, and its events keep their ids', async () => {
    const { add, sum, calls } = sound();
    const heard: string[] = [];
    const bus = await aBus(mode, {
      add,
      listener: async (batch) => void heard.push(...batch.map(({ context }) => context.id)),
    });
    const ids = [randomUUID(), randomUUID()];
    const answers = await Promise.all(ids.map((id, i) => bus.ask(Add, { n: i + 1 }, { id })));
    expect(answers).toMatchObject([{ reply: { sum: 1 } }, { reply: { sum: 3 } }]);
    expect(sum()).toBe(3);
    expect(calls).toEqual(mode === 'doubled' ? [[...ids, ...ids]] : [ids, ids]);
    const events = ids.map((id) => eventId(id, 'Added', 0));
    expect(heard).toEqual([...events, ...events]);
    expect(bus.violations).toEqual([]);
  });

  test.each(Object.keys(wrong))('a handler that %s is caught', async (what) => {
    const [add, violation] = wrong[what]!();
    const bus = await aBus(mode, { add });
    await bus.ask(Add, { n: 1 });
    expect(bus.violations.join('\n')).toMatch(violation);
  });

  test('a listener that throws on what it has done is caught', async () => {
    const done = new Set<string>();
    const bus = await aBus(mode, {
      async listener(batch) {
        const ids = batch.map(({ context }) => context.id);
        if (new Set(ids).size < ids.length || ids.some((id) => done.has(id))) throw new Error('duplicate key');
        for (const id of ids) done.add(id);
      },
    });
    await bus.tell(Added, { n: 1 });
    expect(bus.violations).toEqual([expect.stringContaining('group: Added')]);
  });

  test('what fails for itself is no violation', async () => {
    const bus = await aBus(mode, { add: async () => Promise.reject(new Error('never')) });
    await expect(bus.ask(Add, { n: 1 })).rejects.toHaveProperty('name', 'Failed');
    expect(bus.violations).toEqual([]);
  });

  test('queries come once', async () => {
    let calls = 0;
    const bus = await aBus(mode, { look: each(async () => ({ reply: { sum: ++calls } })) });
    await bus.ask(Look, { n: 1 });
    expect(calls).toBe(1);
    expect(bus.violations).toEqual([]);
  });

  test.each([1, 3])('no batch is larger than the %i that the handler allows', async (max) => {
    const { add, calls, sum } = sound();
    const bus = await aBus(mode, { add, max });
    await Promise.all(Array.from({ length: 7 }, () => bus.ask(Add, { n: 1 })));
    expect(Math.max(...calls.map((ids) => ids.length))).toBe(max === 3 && mode === 'doubled' ? 2 : max);
    expect(calls.flat()).toHaveLength(14);
    expect(sum()).toBe(7);
  });
});

describe('mode recorded', () => {
  test('replay delivers every command that was not refused and every event once more, in order', async () => {
    const { add, sum } = sound();
    const log: string[] = [];
    const note = (batch: readonly Message<unknown>[]) =>
      void log.push(...batch.map(({ context }) => `${context.id} ${context.now.getTime()}`));
    const bus = await aBus('recorded', {
      add: async (batch) => {
        note(batch);
        return add(batch);
      },
      listener: async (batch) => note(batch),
    });
    await bus.ask(Add, { n: 1 });
    await bus.ask(Add, { n: -1 });
    await bus.tell(Added, { n: 5 }, { now: new Date(7) });
    await bus.ask(Add, { n: 2 });
    // A command and its event, the refused command, the event from outside, a command and its event.
    expect(log).toHaveLength(6);
    const [add1, added1, , added5, add2, added2] = log.splice(0);
    for (let times = 0; times < 2; times++) {
      await bus.replay();
      // A command tells its events again, and the recorded events come also by themselves.
      expect(log.splice(0)).toEqual([add1, added1, added1, added5, add2, added2, added2]);
    }
    expect(sum()).toBe(3);
    expect(bus.violations).toEqual([]);
  });

  test('a command that is refused or fails when it comes again is caught', async () => {
    const done = new Set<string>();
    const add: Handler<typeof Add> = each(async ({ n }, { id, expired }) => {
      if (!done.has(id)) {
        done.add(id);
        return { reply: { sum: n } };
      }
      // In a replay, a caller waits again.
      if (n === 1 && !expired()) throw new Error('done already');
      return { refusal: { code: 'NEGATIVE', facts: { n } } };
    });
    const bus = await aBus('recorded', { add });
    await bus.ask(Add, { n: 1 });
    await bus.ask(Add, { n: 2 });
    await bus.replay();
    expect(bus.violations).toEqual([
      expect.stringContaining('failed when it came again'),
      expect.stringContaining('refused when it came again'),
    ]);
  });
});
