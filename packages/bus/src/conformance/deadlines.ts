import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { each, type Outcome, told } from '../port.ts';
import type { Cases } from './cluster.ts';
import { collector, errorOf, gate } from './gates.ts';
import { messages, numbers } from './messages.ts';

const SHORT_MS = 60;

/** A handler whose first message holds up all others until the gate opens, and the numbers that it has seen. */
function held() {
  const shut = gate();
  const seen = collector<number>();
  const one = async ({ n }: { n: number }) => {
    seen.add(n);
    await shut.opened;
    return { reply: { n } };
  };
  return { shut, seen, one };
}

export const deadlines: Cases = {
  'at the deadline the asker gets NoAnswer; the command is done all the same, and can be asked again': (bus) => {
    const { Command } = messages('late');
    const shut = gate();
    const done = new Map<string, Outcome<typeof Command>>();
    const expired = collector<boolean>();
    bus.answer(
      Command,
      each(async ({ n }, context) => {
        await shut.opened;
        expired.add(context.expired());
        const outcome = done.get(context.id) ?? { reply: { n: n + done.size } };
        done.set(context.id, outcome);
        return outcome;
      }),
    );
    return async ({ settled }) => {
      const id = randomUUID();
      expect(await errorOf(bus.ask(Command, { n: 1 }, { id, timeoutMs: SHORT_MS }))).toHaveProperty('name', 'NoAnswer');
      shut.open();
      await settled();
      expect(done.size).toBe(1);
      expect(await bus.ask(Command, { n: 1 }, { id })).toEqual({ ok: true, reply: { n: 1 } });
      expect(expired.seen).toEqual([true, false]);
    };
  },

  'a command that still waits at its deadline is done': (bus) => {
    const { Command } = messages('waiting');
    const { shut, seen, one } = held();
    bus.answer(Command, each(one));
    return async () => {
      const first = bus.ask(Command, { n: 1 });
      await seen.first(1);
      expect(await errorOf(bus.ask(Command, { n: 2 }, { timeoutMs: SHORT_MS }))).toHaveProperty('name', 'NoAnswer');
      shut.open();
      await first;
      expect(await seen.first(2)).toEqual([1, 2]);
    };
  },

  'a query that still waits at its deadline is dropped': (bus) => {
    const { Query } = messages('stale');
    const { shut, seen, one } = held();
    bus.answer(Query, each(one));
    return async ({ features }) => {
      const first = bus.ask(Query, { n: 1 });
      await seen.first(1);
      expect(await errorOf(bus.ask(Query, { n: 2 }, { timeoutMs: SHORT_MS }))).toHaveProperty('name', 'NoAnswer');
      shut.open();
      await first;
      await bus.ask(Query, { n: 3 });
      if (features.dropsStaleQueries !== true) return;
      expect(seen.seen).toEqual([1, 3]);
    };
  },

  'at the deadline the asker gets the reply when only a listener is outstanding': (bus) => {
    const { Command, Happened } = messages('slow-listener');
    const shut = gate();
    bus.answer(
      Command,
      each(async ({ n }) => ({ reply: { n }, events: [told(Happened, { n })] })),
    );
    bus.listen('slow', Happened, () => shut.opened);
    return async ({ features }) => {
      try {
        // Over a network, nothing is outstanding when the reply is there, and a busy machine may need longer for it.
        const timeoutMs = features.waitsForListeners === true ? SHORT_MS : 5_000;
        expect(await bus.ask(Command, { n: 1 }, { timeoutMs })).toEqual({ ok: true, reply: { n: 1 } });
      } finally {
        // Every later case waits for all listeners.
        shut.open();
      }
    };
  },

  'a tell whose listener is slow gets NoAnswer at its deadline, where it waits for listeners, and arrives': (bus) => {
    const { Happened } = messages('slow-tell');
    const shut = gate();
    const seen = collector<number>();
    bus.listen('slow', Happened, async (batch) => {
      await shut.opened;
      seen.add(...numbers(batch));
    });
    return async ({ features }) => {
      const tell = bus.tell(Happened, { n: 1 }, { timeoutMs: features.waitsForListeners === true ? SHORT_MS : 5_000 });
      try {
        if (features.waitsForListeners === true) expect(await errorOf(tell)).toHaveProperty('name', 'NoAnswer');
        else await tell;
        expect(seen.seen).toEqual([]);
      } finally {
        shut.open();
      }
      expect(await seen.first(1)).toEqual([1]);
    };
  },
};
