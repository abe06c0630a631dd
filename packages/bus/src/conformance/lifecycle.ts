import { describe, expect } from 'vitest';
import { each, told } from '../port.ts';
import { type MakeBus, overItsOwnBus } from './cluster.ts';
import { collector, errorOf, gate } from './gates.ts';
import { messages, numbers, replies } from './messages.ts';

const nothing = async () => {};
const answering = async (batch: Parameters<typeof replies>[0]) => replies(batch);

export function lifecycle(makeBus: MakeBus): void {
  const own = overItsOwnBus(makeBus);

  describe('lifecycle', () => {
    own('a second handler, and a group that listens twice, throw', async ({ bus }) => {
      const { Command, Happened } = messages('second', 'own');
      bus.answer(Command, answering);
      expect(() => bus.answer(Command, answering)).toThrow(Command.name);
      bus.listen('one', Happened, nothing);
      bus.listen('two', Happened, nothing);
      expect(() => bus.listen('one', Happened, nothing)).toThrow(Happened.name);
    });

    own('nothing is registered after the start', async ({ bus }) => {
      const { Command, Query, Happened } = messages('registered', 'own');
      bus.answer(Command, answering);
      await bus.start();
      expect(() => bus.answer(Query, answering)).toThrow(Query.name);
      expect(() => bus.listen('one', Happened, nothing)).toThrow(Happened.name);
      expect(() => bus.watch(Happened, () => {}, { onGap: () => {} })).toThrow(Happened.name);
      expect(() => bus.backlog('one', Happened, { limitMs: 1 })).toThrow(Happened.name);
    });

    own('before the start and after the stop everything is Busy', async ({ bus }) => {
      const { Command, Happened } = messages('stopped', 'own');
      bus.answer(Command, answering);
      bus.listen('one', Happened, nothing);
      const isBusy = async () => {
        expect(await errorOf(bus.ask(Command, { n: 1 }))).toHaveProperty('name', 'Busy');
        expect(await errorOf(bus.tell(Happened, { n: 1 }))).toHaveProperty('name', 'Busy');
      };
      await isBusy();
      await bus.start();
      expect(await bus.ask(Command, { n: 1 })).toMatchObject({ ok: true });
      await bus.stop();
      await isBusy();
      await bus.stop();
    });

    own('an ask that nobody answers says so', async ({ bus, features }) => {
      const { Query } = messages('nobody', 'own');
      await bus.start();
      const error = await errorOf(bus.ask(Query, { n: 1 }, { timeoutMs: 100 }));
      expect(error).toHaveProperty('name', features.nobodyAnswers);
    });

    own('stop takes nothing more and finishes what was taken, with its events', async ({ bus, features }) => {
      const { Command, Happened } = messages('drained', 'own');
      const shut = gate();
      const started = collector<number>();
      const heard = collector<number>();
      bus.answer(
        Command,
        each(async ({ n }) => {
          started.add(n);
          await shut.opened;
          return { reply: { n }, events: [told(Happened, { n })] };
        }),
      );
      bus.listen('drained', Happened, async (batch) => {
        heard.add(...numbers(batch));
      });
      await bus.start();
      const asked = [bus.ask(Command, { n: 1 }), bus.ask(Command, { n: 2 })];
      await started.first(1);
      const order: string[] = [];
      const answers = Promise.all(asked).finally(() => order.push('answered'));
      const stopped = bus.stop().finally(() => order.push('stopped'));
      expect(await errorOf(bus.ask(Command, { n: 3 }))).toHaveProperty('name', 'Busy');
      shut.open();
      expect(await answers).toMatchObject([{ reply: { n: 1 } }, { reply: { n: 2 } }]);
      await stopped;
      expect(order).toEqual(['answered', 'stopped']);
      expect(started.seen).toEqual([1, 2]);
      if (features.waitsForListeners === true) expect(heard.seen).toEqual([1, 2]);
    });
  });
}
