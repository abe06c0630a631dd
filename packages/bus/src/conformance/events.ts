import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { eventId } from '../context.ts';
import { each, type Message, type Outcome, told } from '../port.ts';
import type { Cases } from './cluster.ts';
import { collector, errorOf, gate } from './gates.ts';
import { messages, numbers } from './messages.ts';

type Heard = { n: number; id: string; now: number };
const heard = (batch: readonly Message<{ n: number }>[]): Heard[] =>
  batch.map(({ data, context }) => ({ n: data.n, id: context.id, now: context.now.getTime() }));

export const events: Cases = {
  'an event reaches every group once, with the id and the time that it was told with': (bus) => {
    const { Happened } = messages('told');
    const groups = { one: collector<Heard>(), two: collector<Heard>() };
    for (const group of ['one', 'two'] as const)
      bus.listen(group, Happened, async (batch) => groups[group].add(...heard(batch)));
    return async ({ settled }) => {
      const id = randomUUID();
      const now = new Date('2026-01-02T03:04:05.678Z');
      await bus.tell(Happened, { n: 1 }, { id, now });
      await bus.tell(Happened, { n: 2 });
      for (const group of Object.values(groups)) {
        const [first, second] = await group.first(2);
        expect(first).toEqual({ n: 1, id, now: now.getTime() });
        expect(second!.id).toMatch(/^[0-9a-f-]{36}$/);
      }
      await settled();
      expect(groups.one.seen).toEqual(groups.two.seen);
      expect(groups.one.seen).toHaveLength(2);
    };
  },

  'the events of an outcome have ids that follow from the message, and its time or their own, on every delivery': (
    bus,
  ) => {
    const { Command, Happened } = messages('derived');
    const times: number[] = [];
    const own = new Date('2026-01-02T03:04:05.678Z');
    const group = collector<Heard>();
    bus.answer(
      Command,
      each(async ({ n }, context) => {
        times.push(context.now.getTime());
        return { reply: { n }, events: [told(Happened, { n }), told(Happened, { n: n + 1 }, own)] };
      }),
    );
    bus.listen('derived', Happened, async (batch) => group.add(...heard(batch)));
    return async () => {
      const id = randomUUID();
      await bus.ask(Command, { n: 1 }, { id });
      await bus.ask(Command, { n: 1 }, { id });
      const expected = [0, 1].map((index) => ({ n: 1 + index, id: eventId(id, Happened.name, index) }));
      expect(await group.first(4)).toMatchObject([...expected, ...expected]);
      expect(group.seen.map(({ now }) => now)).toEqual([times[0], own.getTime(), times[1], own.getTime()]);
    };
  },

  'a refusal tells nothing, and an event that nobody listens to is told': (bus) => {
    const { Command, Happened } = messages('silent');
    const unheard = messages('unheard').Happened;
    const group = collector<Heard>();
    const no: Outcome<typeof Command> = { refusal: { code: 'TOO_MANY', facts: { limit: 1 } } };
    bus.answer(
      Command,
      each(async ({ n }) => (n > 0 ? { reply: { n }, events: [told(Happened, { n }), told(unheard, { n })] } : no)),
    );
    bus.listen('silent', Happened, async (batch) => group.add(...heard(batch)));
    return async ({ settled }) => {
      await bus.ask(Command, { n: 0 });
      await bus.ask(Command, { n: 1 });
      await bus.tell(unheard, { n: 2 });
      await settled();
      expect(group.seen).toMatchObject([{ n: 1 }]);
    };
  },

  'an ask resolves after the listeners of its events, where it waits for them, and the next batch does not wait': (
    bus,
  ) => {
    const { Command, Happened } = messages('after');
    const shut = gate();
    const order = collector<string>();
    bus.answer(
      Command,
      each(async ({ n }) => {
        order.add(`handler ${n}`);
        return { reply: { n }, events: n === 1 ? [told(Happened, { n })] : [] };
      }),
    );
    bus.listen('after', Happened, async () => {
      await shut.opened;
      order.add('listener 1');
    });
    return async ({ features }) => {
      const first = bus.ask(Command, { n: 1 }).then(() => order.add('asker 1'));
      if (features.waitsForListeners !== true) await first;
      await bus.ask(Command, { n: 2 });
      shut.open();
      await first;
      await order.first(4);
      const early = features.waitsForListeners === true ? [] : ['asker 1'];
      const late = features.waitsForListeners === true ? ['asker 1'] : [];
      expect(order.seen).toEqual(['handler 1', ...early, 'handler 2', 'listener 1', ...late]);
    };
  },

  'a listener may ask': (bus) => {
    const { Command, Query, Happened } = messages('asking');
    const group = collector<number>();
    bus.answer(
      Command,
      each(async ({ n }) => ({ reply: { n }, events: n > 0 ? [told(Happened, { n })] : [] })),
    );
    bus.answer(Query, async (batch) => batch.map(({ data }) => ({ reply: { n: data.n * 2 } })));
    bus.listen('asking', Happened, async (batch) => {
      for (const { data } of batch) {
        const [query, command] = [await bus.ask(Query, data), await bus.ask(Command, { n: -data.n })];
        if (query.ok && command.ok) group.add(query.reply.n, command.reply.n);
      }
    });
    return async () => {
      await bus.ask(Command, { n: 1 });
      expect(await group.first(2)).toEqual([2, -1]);
    };
  },

  'events with the same key are heard in order': (bus) => {
    const { Happened } = messages('in-order');
    const group = collector<Heard>();
    bus.listen('in-order', Happened, async (batch) => group.add(...heard(batch)), { max: 4 });
    return async () => {
      await Promise.all(Array.from({ length: 30 }, (_, n) => bus.tell(Happened, { key: 'k', n })));
      expect((await group.first(30)).map(({ n }) => n)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    };
  },

  'a listener with too many waiting makes tell Busy, for none of the groups': (bus) => {
    const { Happened } = messages('full');
    const shut = gate();
    const slow = collector<number>();
    const other = collector<number>();
    bus.listen('slow', Happened, async (batch) => {
      await shut.opened;
      slow.add(...numbers(batch));
    });
    bus.listen('quick', Happened, async (batch) => other.add(...numbers(batch)));
    return async ({ features, settled }) => {
      const most = features.mostTold;
      if (typeof most === 'string') return;
      const tells = Array.from({ length: most }, (_, n) => bus.tell(Happened, { n }, { timeoutMs: 15_000 }));
      expect(await errorOf(bus.tell(Happened, { n: -1 }))).toHaveProperty('name', 'Busy');
      shut.open();
      await Promise.all(tells);
      await settled();
      expect(slow.seen).not.toContain(-1);
      expect(other.seen).not.toContain(-1);
      expect(other.seen).toHaveLength(most);
    };
  },

  'a watcher sees what was told and what was committed; its throwing harms nobody': (bus) => {
    const { Command, Happened } = messages('watched');
    const watched = collector<number>();
    let gaps = 0;
    bus.answer(
      Command,
      each(async ({ n }) => ({ reply: { n }, events: [told(Happened, { n })] })),
    );
    bus.watch(
      Happened,
      () => {
        throw new Error('a bad watcher');
      },
      { onGap: () => {} },
    );
    bus.watch(Happened, ({ n }) => watched.add(n), { onGap: () => gaps++ });
    return async ({ features }) => {
      expect(await bus.ask(Command, { n: 1 })).toMatchObject({ ok: true });
      if (features.waitsForListeners === true) expect(watched.seen).toEqual([1]);
      await bus.tell(Happened, { n: 2 });
      expect(await watched.first(2)).toEqual([1, 2]);
      expect(gaps).toBe(0);
    };
  },
};
