import { expect, vi } from 'vitest';
import type { Cases } from './cluster.ts';
import { gate } from './gates.ts';
import { messages } from './messages.ts';

export const IN_TIME = { timeout: 10_000, interval: 20 };

export const backlogs: Cases = {
  'a group that keeps up is in time': (bus) => {
    const { Happened } = messages('in-time');
    bus.listen('in-time', Happened, async () => {});
    const backlog = bus.backlog('in-time', Happened, { limitMs: 2_000 });
    return async ({ settled }) => {
      for (let n = 0; n < 20; n++) await bus.tell(Happened, { n });
      await settled();
      await vi.waitFor(() => expect(backlog.late()).toBe(false), IN_TIME);
    };
  },

  'a group is late once something has waited for longer than the limit, until that is done': (bus) => {
    const { Happened } = messages('late');
    const shut = gate();
    bus.listen('late', Happened, async () => shut.opened);
    const soon = bus.backlog('late', Happened, { limitMs: 500 });
    const never = bus.backlog('late', Happened, { limitMs: 3_600_000 });
    return async ({ settled }) => {
      await vi.waitFor(() => expect([soon.late(), never.late()]).toEqual([false, false]), IN_TIME);
      const told = performance.now();
      const first = bus.tell(Happened, { n: 1 }, { timeoutMs: 15_000 });
      try {
        await vi.waitFor(() => expect(soon.late()).toBe(true), IN_TIME);
        expect(performance.now() - told).toBeGreaterThan(480);
        expect(never.late()).toBe(false);
      } finally {
        shut.open();
      }
      await first;
      await settled();
      await vi.waitFor(() => expect(soon.late()).toBe(false), IN_TIME);
    };
  },

  'what became a dead letter waits no more': (bus) => {
    const { Happened } = messages('poisoned-backlog');
    bus.listen('poisoned-backlog', Happened, async () => {
      throw new Error('never');
    });
    const backlog = bus.backlog('poisoned-backlog', Happened, { limitMs: 500 });
    return async ({ settled }) => {
      await bus.tell(Happened, { n: 1 }, { timeoutMs: 15_000 });
      await settled();
      await vi.waitFor(() => expect(backlog.late()).toBe(false), IN_TIME);
    };
  },
};
