import { expect } from 'vitest';
import { each, eachAtOnce, type Message } from '../port.ts';
import type { Cases } from './cluster.ts';
import { collector, errorOf, gate } from './gates.ts';
import { messages, numbers, replies } from './messages.ts';

export const batches: Cases = {
  'what came while a batch ran is the next one, in order, with an answer each': (bus) => {
    const { Command } = messages('gathered');
    const first = gate();
    const seen = collector<number[]>();
    bus.answer(Command, async (batch) => {
      seen.add(numbers(batch));
      await first.opened;
      return replies(batch);
    });
    return async ({ features }) => {
      const asked = [bus.ask(Command, { n: 0 })];
      await seen.first(1);
      for (let n = 1; n <= 10; n++) asked.push(bus.ask(Command, { n }));
      first.open();
      expect(await Promise.all(asked)).toEqual(asked.map((_, n) => ({ ok: true, reply: { n } })));
      expect(seen.seen.flat()).toEqual(asked.map((_, n) => n));
      if (features.gathersAll !== true) return;
      expect(seen.seen).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
    };
  },

  'a handler runs one batch at a time': (bus) => {
    const { Command } = messages('single');
    let running = 0;
    let most = 0;
    bus.answer(Command, async (batch) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return replies(batch);
    });
    return async () => {
      const asker = async () => {
        for (let n = 0; n < 5; n++) await bus.ask(Command, { n });
      };
      await Promise.all([asker(), asker(), asker()]);
      expect(most).toBe(1);
    };
  },

  'a query that is handled at once waits for no other, also of the same key': (bus) => {
    const { Query } = messages('at-once');
    const first = gate();
    bus.answer(
      Query,
      eachAtOnce(async ({ n }) => {
        if (n === 0) await first.opened;
        return { reply: { n } };
      }),
    );
    return async () => {
      const slow = bus.ask(Query, { n: 0 });
      const others = await Promise.all([1, 2, 3].map((n) => bus.ask(Query, { n })));
      expect(others).toEqual([1, 2, 3].map((n) => ({ ok: true, reply: { n } })));
      first.open();
      expect(await slow).toEqual({ ok: true, reply: { n: 0 } });
    };
  },

  'no batch is larger than the handler, the registration or each() says': (bus) => {
    const sizes = { own: [] as number[], registered: [] as number[], each: [] as number[] };
    const defs = { own: messages('own-max'), registered: messages('max'), each: messages('each') };
    const sized = (name: 'own' | 'registered') => async (batch: readonly Message<{ n: number }>[]) => {
      sizes[name].push(batch.length);
      return replies(batch);
    };
    bus.answer(defs.own.Command, Object.assign(sized('own'), { max: 2 }), { max: 5 });
    bus.answer(defs.registered.Command, sized('registered'), { max: 3 });
    const one = each<typeof defs.each.Command>(async ({ n }) => ({ reply: { n } }));
    const counted = Object.assign(
      (batch: Parameters<typeof one>[0]) => {
        sizes.each.push(batch.length);
        return one(batch);
      },
      { max: one.max },
    );
    bus.answer(defs.each.Command, counted, { max: 7 });
    return async () => {
      for (const { Command } of Object.values(defs))
        await Promise.all(Array.from({ length: 10 }, (_, n) => bus.ask(Command, { n })));
      expect(Math.max(...sizes.own)).toBe(2);
      expect(Math.max(...sizes.registered)).toBeLessThanOrEqual(3);
      expect(Math.max(...sizes.each)).toBe(1);
      for (const counts of Object.values(sizes)) expect(counts.reduce((sum, size) => sum + size)).toBe(10);
    };
  },

  'what has the same key is done in the order of asking': (bus) => {
    const { Command } = messages('ordered');
    const seen = new Map<string, number[]>();
    bus.answer(Command, async (batch) => {
      for (const { data } of batch) seen.set(data.key, [...(seen.get(data.key) ?? []), data.n]);
      return replies(batch);
    });
    return async () => {
      const asked = Array.from({ length: 90 }, (_, n) => bus.ask(Command, { key: `k${n % 3}`, n }));
      await Promise.all(asked);
      expect(seen.size).toBe(3);
      for (const order of seen.values()) {
        expect(order).toHaveLength(30);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
    };
  },

  'too many at once get Busy, and the others their answers': (bus) => {
    const { Command } = messages('busy');
    const seen: number[] = [];
    bus.answer(Command, async (batch) => {
      seen.push(...numbers(batch));
      return replies(batch);
    });
    return async ({ features }) => {
      const asked = Array.from({ length: features.mostAsks }, (_, n) => bus.ask(Command, { n }));
      expect(await errorOf(bus.ask(Command, { n: -1 }))).toHaveProperty('name', 'Busy');
      expect(await Promise.all(asked)).toHaveLength(features.mostAsks);
      expect(await bus.ask(Command, { n: -2 })).toEqual({ ok: true, reply: { n: -2 } });
      expect(seen).not.toContain(-1);
    };
  },
};
