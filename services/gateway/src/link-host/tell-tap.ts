// Telling a tap. A person is never lost because the bus is away: after half a second they go on, and the tap is told
// late from a bounded buffer. The signed install referrer works all the same.
import { type Bus, Busy, NoAnswer } from '@landfall/bus';
import { LinkClicked } from '@landfall/contracts';
import type { Check, Logger } from '@landfall/runtime';
import type { z } from 'zod';

export interface Tapped {
  id: string;
  now: Date;
  data: z.input<typeof LinkClicked.data>;
}

export interface TapTeller {
  /** Resolves when the tap is durable, or after half a second. Never rejects. */
  tell(tap: Tapped): Promise<void>;
  health(): Check;
  counts(): TapCounts;
  /** Tries once more what is still waiting. */
  stop(): Promise<void>;
}

/** Since the start, but for those that wait now. */
export interface TapCounts {
  waiting: number;
  late: number;
  lost: number;
}

const WAIT_MS = 500;
const AGAIN_MS = 1_000;
const MAX_WAITING = 10_000;

export function tapTeller(bus: Bus, log: Logger): TapTeller {
  const waiting: Tapped[] = [];
  const counts = { late: 0, lost: 0 };
  let timer: NodeJS.Timeout | undefined;

  const send = ({ id, now, data }: Tapped) => bus.tell(LinkClicked, data, { id, now, timeoutMs: WAIT_MS });

  function keep(tap: Tapped, error: unknown): void {
    if (!(error instanceof Busy) && !(error instanceof NoAnswer)) {
      log.error({ err: error, linkId: tap.data.linkId }, 'a tap could not be told');
      counts.lost++;
    } else if (waiting.length >= MAX_WAITING) {
      counts.lost++;
    } else {
      waiting.push(tap);
      timer ??= setTimeout(again, AGAIN_MS).unref();
    }
  }

  /** The same id every time: a tap that did arrive is not counted twice. */
  async function again(): Promise<void> {
    timer = undefined;
    const taps = waiting.splice(0);
    const outcomes = await Promise.allSettled(taps.map(send));
    outcomes.forEach((outcome, i) => {
      if (outcome.status === 'fulfilled') counts.late++;
      else keep(taps[i]!, outcome.reason);
    });
  }

  return {
    tell: (tap) => send(tap).catch((error: unknown) => keep(tap, error)),
    health() {
      if (waiting.length === 0 && counts.late === 0 && counts.lost === 0) return { ok: true };
      return { ok: true, detail: `taps: ${waiting.length} waiting, ${counts.late} told late, ${counts.lost} lost` };
    },
    counts: () => ({ waiting: waiting.length, ...counts }),
    async stop() {
      clearTimeout(timer);
      await again();
      clearTimeout(timer);
      if (waiting.length > 0) log.error({ taps: waiting.length }, 'taps were lost: the bus took none until the end');
    },
  };
}
