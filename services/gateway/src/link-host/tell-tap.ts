// Sends taps to the bus. No person is lost when the bus is down: after half a second they go on, and the tap is sent
// later from a bounded buffer. The signed install referrer does not depend on it.
import type { Bus } from '@landfall/bus';
import { LinkClicked } from '@landfall/contracts';
import type { Check, Logger } from '@landfall/runtime';
import type { z } from 'zod';
import { lateSender } from '../sending/late-sender.ts';

interface Tapped {
  id: string;
  now: Date;
  data: z.input<typeof LinkClicked.data>;
}

export type TapTeller = ReturnType<typeof tapTeller>;

const WAIT_MS = 500;

export function tapTeller(bus: Bus, log: Logger) {
  const counts = { late: 0, lost: 0 };
  const sender = lateSender<Tapped>({
    // A retry has the same id, so that a tap is not counted twice.
    send: ({ id, now, data }) => bus.tell(LinkClicked, data, { id, now, timeoutMs: WAIT_MS }),
    late: () => counts.late++,
    lost(tap, error) {
      counts.lost++;
      if (error) log.error({ err: error, linkId: tap.data.linkId }, 'a tap could not be sent');
    },
    left: (taps) => log.error({ taps }, 'taps were lost: the bus accepted no message until the process stopped'),
  });

  return {
    /** Sends a tap. Resolves when the tap is durable, or after half a second. Never rejects. */
    tell: sender.send,
    health(): Check {
      const waiting = sender.waiting();
      if (waiting === 0 && counts.late === 0 && counts.lost === 0) return { ok: true };
      return { ok: true, detail: `taps: ${waiting} waiting, ${counts.late} sent late, ${counts.lost} lost` };
    },
    /** Counts since the start, except the number that waits now. */
    counts: () => ({ waiting: sender.waiting(), ...counts }),
    stop: sender.stop,
  };
}
