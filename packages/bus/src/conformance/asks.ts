import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { uuid5 } from '../context.ts';
import { InvalidInput } from '../invalid-input.ts';
import { each, Failed, type Outcome } from '../port.ts';
import type { Cases } from './cluster.ts';
import { collector, errorOf } from './gates.ts';
import { messages, numbers, replies } from './messages.ts';

export const asks: Cases = {
  'a refusal comes with its facts': (bus) => {
    const { Command, Query } = messages('refused');
    const no = { refusal: { code: 'TOO_MANY' as const, facts: { limit: 3 } } };
    bus.answer(Command, async (batch) => batch.map(() => no));
    bus.answer(Query, async (batch) => batch.map(() => no));
    return async () => {
      expect(await bus.ask(Command, { n: 1 })).toEqual({ ok: false, ...no });
      expect(await bus.ask(Query, { n: 1 })).toEqual({ ok: false, ...no });
    };
  },

  'an input is parsed, so that its defaults are there': (bus) => {
    const { Command } = messages('parsed');
    bus.answer(Command, async (batch) => batch.map(({ data }) => ({ reply: { n: data.n, text: data.key } })));
    return async () => {
      expect(await bus.ask(Command, { n: 1 })).toMatchObject({ reply: { text: 'k' } });
    };
  },

  'an input or an id that is wrong is InvalidInput, names the field and reaches nobody': (bus) => {
    const { Command, Happened } = messages('invalid');
    const seen = collector<number>();
    bus.answer(Command, async (batch) => {
      seen.add(...numbers(batch));
      return replies(batch);
    });
    bus.listen('invalid', Happened, async (batch) => seen.add(...numbers(batch)));
    return async ({ settled }) => {
      for (const error of [
        await errorOf(bus.ask(Command, { n: 1.5 })),
        await errorOf(bus.tell(Happened, { n: 1.5 })),
        await errorOf(bus.ask(Command, { n: 2 }, { id: 'no-uuid' })),
        await errorOf(bus.tell(Happened, { n: 2 }, { id: randomUUID().toUpperCase() })),
      ])
        expect(error).toBeInstanceOf(InvalidInput);
      expect(await errorOf(bus.ask(Command, { n: 1.5 }))).toHaveProperty('message', expect.stringContaining('n:'));
      await bus.ask(Command, { n: 3 });
      await settled();
      expect(seen.seen).toEqual([3]);
    };
  },

  'an answer that its contract does not allow is Failed': (bus) => {
    const { Command, Query } = messages('unlike');
    bus.answer(Command, async (batch) => batch.map(() => ({ reply: { n: 0.5, text: '' } })));
    bus.answer(Query, async (batch) =>
      batch.map(() => ({ refusal: { code: 'TOO_MANY' as const, facts: { limit: 'many' as unknown as number } } })),
    );
    return async () => {
      expect(await errorOf(bus.ask(Command, { n: 1 }))).toBeInstanceOf(Failed);
      expect(await errorOf(bus.ask(Query, { n: 1 }))).toBeInstanceOf(Failed);
    };
  },

  'what the asker does with its input later does not reach the handler': (bus) => {
    const { Command } = messages('copied');
    bus.answer(Command, async (batch) =>
      batch.map(({ data }) => ({ reply: { n: data.n, text: JSON.stringify(data.free) } })),
    );
    return async () => {
      const input = { n: 1, free: { a: { b: 1 }, ['__proto__']: null } };
      const asked = bus.ask(Command, input);
      input.n = 2;
      input.free.a.b = 2;
      expect(await asked).toEqual({ ok: true, reply: { n: 1, text: '{"a":{"b":1},"__proto__":null}' } });
    };
  },

  'a message has the id that the asker gave it, or a new one': (bus) => {
    const { Command } = messages('ids');
    const ids: string[] = [];
    bus.answer(Command, async (batch) => {
      ids.push(...batch.map(({ context }) => context.id));
      return replies(batch);
    });
    return async () => {
      const id = randomUUID();
      await bus.ask(Command, { n: 1 }, { id });
      await bus.ask(Command, { n: 1 });
      await bus.ask(Command, { n: 1 });
      expect(ids[0]).toBe(id);
      expect(new Set(ids).size).toBe(3);
      for (const one of ids) expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    };
  },

  'the same id twice gives the same answer and the same derived ids': (bus) => {
    const { Command } = messages('twice');
    const done = new Map<string, Outcome<typeof Command>>();
    const derived: string[][] = [];
    bus.answer(
      Command,
      each(async (data, context) => {
        derived.push([context.idFor('link'), context.idFor('slug')]);
        const outcome = done.get(context.id) ?? { reply: { n: data.n + done.size } };
        done.set(context.id, outcome);
        return outcome;
      }),
    );
    return async () => {
      const id = randomUUID();
      const first = await bus.ask(Command, { n: 1 }, { id });
      const other = await bus.ask(Command, { n: 1 });
      expect(await bus.ask(Command, { n: 1 }, { id })).toEqual(first);
      expect(other).not.toEqual(first);
      expect(derived[0]).toEqual([uuid5(id, 'link'), uuid5(id, 'slug')]);
      expect(derived[2]).toEqual(derived[0]);
      expect(new Set(derived.flat()).size).toBe(4);
    };
  },

  'a handler may ask another': (bus) => {
    const { Command, Query } = messages('nested');
    bus.answer(Query, async (batch) => batch.map(({ data }) => ({ reply: { n: data.n * 2 } })));
    bus.answer(
      Command,
      each(async ({ n }) => {
        const answer = await bus.ask(Query, { n });
        return answer.ok ? { reply: answer.reply } : { refusal: answer.refusal };
      }),
    );
    return async () => {
      expect(await bus.ask(Command, { n: 4 })).toEqual({ ok: true, reply: { n: 8 } });
    };
  },
};
