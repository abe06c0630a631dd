import { describe, expect, vi } from 'vitest';
import { IN_TIME } from './backlogs.ts';
import { type Features, type MakeBus, overItsOwnBus } from './cluster.ts';
import { collector } from './gates.ts';
import { messages, numbers } from './messages.ts';

export function members(makeBus: MakeBus, features: Features): void {
  const together = overItsOwnBus(makeBus);

  if (features.severalMembers !== true) {
    // This test fails as soon as the adapter can have several members.
    together(`it has one member only: ${features.severalMembers}`, async (cluster) => {
      expect(cluster.another).toBeUndefined();
    });
    return;
  }

  describe('members', () => {
    together('one member answers what another asks', async ({ bus }, another) => {
      const { Command } = messages('other', 'own');
      const asker = await another();
      bus.answer(Command, async (batch) => batch.map(({ data }) => ({ reply: { n: data.n + 1 } })));
      await Promise.all([bus.start(), asker.start()]);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => asker.ask(Command, { n })));
      expect(answers).toEqual(answers.map((_, n) => ({ ok: true, reply: { n: n + 1 } })));
    });

    together(
      'a group hears an event in one of its members, and watchers in all of them',
      async ({ bus, settled }, another) => {
        const { Happened } = messages('spread', 'own');
        const heard = collector<number>();
        const watched = [collector<number>(), collector<number>()];
        const both = [bus, await another()];
        for (const [i, member] of both.entries()) {
          member.listen('spread', Happened, async (batch) => heard.add(...numbers(batch)));
          member.watch(Happened, ({ n }) => watched[i]!.add(n), { onGap: () => {} });
        }
        await Promise.all(both.map((member) => member.start()));
        await Promise.all(Array.from({ length: 20 }, (_, n) => bus.tell(Happened, { key: `${n}`, n })));
        for (const seen of watched) await seen.first(20);
        await heard.first(20);
        await settled();
        expect(heard.seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
      },
    );

    together('every member knows that a group is late, also when no member of it runs', async ({ bus }, another) => {
      const { Happened } = messages('nobody-home', 'own');
      const heard = collector<number>();
      bus.listen('nobody-home', Happened, async (batch) => heard.add(...numbers(batch)));
      const outside = await another();
      const backlog = outside.backlog('nobody-home', Happened, { limitMs: 500 });
      await Promise.all([bus.start(), outside.start()]);
      await outside.tell(Happened, { n: 1 });
      await heard.first(1);
      await vi.waitFor(() => expect(backlog.late()).toBe(false), IN_TIME);
      await bus.stop();
      await outside.tell(Happened, { n: 2 });
      await vi.waitFor(() => expect(backlog.late()).toBe(true), IN_TIME);
      const next = await another();
      next.listen('nobody-home', Happened, async (batch) => heard.add(...numbers(batch)));
      await next.start();
      await vi.waitFor(() => expect(backlog.late()).toBe(false), IN_TIME);
      expect(heard.seen).toEqual([1, 2]);
    });

    if (features.survivesRestart !== true) return;
    together('what was told while a group was away reaches its next member', async ({ bus }, another) => {
      const { Happened } = messages('away', 'own');
      const heard = collector<number>();
      bus.listen('away', Happened, async (batch) => heard.add(...numbers(batch)));
      const teller = await another();
      await Promise.all([bus.start(), teller.start()]);
      await teller.tell(Happened, { n: 1 });
      await heard.first(1);
      await bus.stop();
      await teller.tell(Happened, { n: 2 });
      const next = await another();
      next.listen('away', Happened, async (batch) => heard.add(...numbers(batch)));
      await next.start();
      expect(await heard.first(2)).toEqual([1, 2]);
    });
  });
}
