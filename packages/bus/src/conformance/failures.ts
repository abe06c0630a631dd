import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { each, type Message, told } from '../port.ts';
import { ATTEMPTS, type Cases, outage } from './cluster.ts';
import { collector, errorOf, gate } from './gates.ts';
import { messages, numbers, replies } from './messages.ts';

const POISON = 13;
const MAY_RETRY_MS = 15_000;

/** Throws on a batch with the poison message, and records every batch. The first waits until `open` is called. */
function poisonable() {
  const shut = gate();
  const seen = collector<number[]>();
  const take = async (batch: readonly Message<{ n: number }>[]) => {
    seen.add(numbers(batch));
    await shut.opened;
    if (numbers(batch).includes(POISON)) throw new Error('cannot take 13');
  };
  const alone = () => seen.seen.filter((batch) => batch.length === 1 && batch[0] === POISON).length;
  return { take, seen, alone, open: shut.open };
}

export const failures: Cases = {
  'a command that cannot be done is tried alone, fails, is kept, and its neighbours are answered': (bus) => {
    const { Command } = messages('poison');
    const { take, seen, alone, open } = poisonable();
    bus.answer(Command, async (batch) => {
      await take(batch);
      return replies(batch);
    });
    return async ({ settled, deadLetters, errors }) => {
      const id = randomUUID();
      const first = bus.ask(Command, { n: 0 }, { timeoutMs: MAY_RETRY_MS });
      await seen.first(1);
      const asked = [1, 2, POISON, 4, 5].map((n) =>
        bus.ask(Command, { n }, { timeoutMs: MAY_RETRY_MS, ...(n === POISON && { id }) }),
      );
      const failed = errorOf(asked[2]!);
      open();
      expect(await failed).toHaveProperty('name', 'Failed');
      const answered = await Promise.all([first, ...asked.filter((_, i) => i !== 2)]);
      expect(answered).toEqual([0, 1, 2, 4, 5].map((n) => ({ ok: true, reply: { n } })));
      expect(alone()).toBe(ATTEMPTS);
      await settled();
      const letters = (await deadLetters()).filter((letter) => letter.message === Command.name);
      expect(letters).toEqual([
        {
          id: expect.any(String),
          group: expect.any(String),
          message: Command.name,
          key: 'k',
          data: { key: 'k', n: POISON },
          reason: expect.stringContaining('cannot take 13'),
          attempts: ATTEMPTS,
          messageId: id,
          at: expect.any(Date),
        },
      ]);
      expect(errors).toContain(id);
    };
  },

  'a query that cannot be answered fails and is not kept': (bus) => {
    const { Query } = messages('poison-query');
    const { take, alone, open } = poisonable();
    bus.answer(Query, async (batch) => {
      await take(batch);
      return replies(batch);
    });
    open();
    return async ({ settled, deadLetters }) => {
      const failed = await errorOf(bus.ask(Query, { n: POISON }, { timeoutMs: MAY_RETRY_MS }));
      expect(failed).toHaveProperty('name', 'Failed');
      expect(alone()).toBe(ATTEMPTS);
      await settled();
      expect((await deadLetters()).filter((letter) => letter.message === Query.name)).toEqual([]);
    };
  },

  'a handler that throws at once fails like one that rejects': (bus) => {
    const { Command } = messages('thrown');
    bus.answer(Command, () => {
      throw new Error('at once');
    });
    return async () => {
      expect(await errorOf(bus.ask(Command, { n: 1 }))).toHaveProperty('name', 'Failed');
    };
  },

  'while the infrastructure fails a batch is tried again, as often as it takes': (bus) => {
    const { Command, Query, Happened } = messages('outage');
    const left = { Command: ATTEMPTS + 1, Query: ATTEMPTS + 1, Happened: ATTEMPTS + 1 };
    const heard = collector<number>();
    const fails = (what: keyof typeof left) => {
      if (left[what]-- > 0) throw outage();
    };
    bus.answer(Command, async (batch) => {
      fails('Command');
      return batch.map(({ data }) => ({ reply: { n: data.n }, events: [told(Happened, { n: data.n })] }));
    });
    bus.answer(Query, async (batch) => {
      fails('Query');
      return replies(batch);
    });
    bus.listen('outage', Happened, async (batch) => {
      fails('Happened');
      heard.add(...numbers(batch));
    });
    return async ({ settled, deadLetters }) => {
      const asked = [1, 2].map((n) => bus.ask(Command, { n }, { timeoutMs: MAY_RETRY_MS }));
      const query = bus.ask(Query, { n: 3 }, { timeoutMs: MAY_RETRY_MS });
      expect(await Promise.all(asked)).toMatchObject([{ reply: { n: 1 } }, { reply: { n: 2 } }]);
      expect(await query).toMatchObject({ reply: { n: 3 } });
      expect(await heard.first(2)).toEqual([1, 2]);
      await settled();
      const names = [Command.name, Query.name, Happened.name];
      expect((await deadLetters()).filter((letter) => names.includes(letter.message))).toEqual([]);
    };
  },

  'with the wrong number of outcomes all fail, without a second try': (bus) => {
    const { Command } = messages('miscounted');
    const shut = gate();
    const seen = collector<number[]>();
    bus.answer(Command, async (batch) => {
      seen.add(numbers(batch));
      await shut.opened;
      return numbers(batch).includes(0) ? replies(batch) : replies(batch).slice(1);
    });
    return async ({ settled, deadLetters }) => {
      const first = bus.ask(Command, { n: 0 });
      await seen.first(1);
      const failed = [1, 2, 3].map((n) => errorOf(bus.ask(Command, { n })));
      shut.open();
      await first;
      for (const error of await Promise.all(failed)) expect(error).toHaveProperty('name', 'Failed');
      await settled();
      expect(seen.seen.flat()).toEqual([0, 1, 2, 3]);
      expect((await deadLetters()).filter((letter) => letter.message === Command.name)).toEqual([]);
    };
  },

  'a listener that cannot take an event fails neither the asker, nor its neighbours, nor other groups': (bus) => {
    const { Command, Happened } = messages('poison-event');
    const { take, alone, open } = poisonable();
    const took = collector<number>();
    const other = collector<number>();
    bus.answer(
      Command,
      each(async ({ n }) => ({
        reply: { n },
        events: [n, POISON, n + 1].map((one) => told(Happened, { n: one })),
      })),
    );
    bus.listen('failing', Happened, async (batch) => {
      await take(batch);
      took.add(...numbers(batch));
    });
    bus.listen('sound', Happened, async (batch) => other.add(...numbers(batch)));
    open();
    return async ({ settled, deadLetters }) => {
      const answer = await bus.ask(Command, { n: 1 }, { timeoutMs: MAY_RETRY_MS });
      expect(answer).toEqual({ ok: true, reply: { n: 1 } });
      expect(await took.first(2)).toEqual([1, 2]);
      expect(await other.first(3)).toEqual([1, POISON, 2]);
      await settled();
      expect(alone()).toBe(ATTEMPTS);
      const letters = (await deadLetters()).filter((letter) => letter.message === Happened.name);
      expect(letters).toMatchObject([{ group: 'failing', data: { n: POISON }, attempts: ATTEMPTS }]);
    };
  },
};
