// Everything that happens in a world, in the order of time. A seed decides it.
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Opening, Start, Tap } from './events.ts';
import { createGround, type Size } from './ground.ts';
import { createInstalls } from './installs.ts';
import { simulateStarts } from './starts.ts';
import { simulateTaps } from './taps.ts';
import { DAY } from './time.ts';

export interface Listener {
  /**
   * Milliseconds. Only starts within this time after a tap at their address are told, and those of installs with a token.
   * Left out: all starts.
   */
  readonly window?: number | undefined;
  /** @param place the place of the next start */
  tap(tap: Tap, place: number): void;
  opening(opening: Opening): void;
  start(start: Start): void;
}

export function simulate(spec: WorldSpec, size: Size, seed: string) {
  const ground = createGround(spec, size, seed);
  const installs = createInstalls(ground);
  const links = simulateTaps(ground, installs);
  const end = (size.warmUp + size.days) * DAY;
  const taps = inOrder(links.taps, end);
  taps.forEach((tap, i) => {
    tap.id = i;
  });
  const openings = inOrder(links.openings, end);
  const starts = simulateStarts(ground, installs.all, taps);

  return {
    /** The scored time, in milliseconds from the begin of the run. */
    scored: [size.warmUp * DAY, end] as const,
    taps,
    openings,
    installs: installs.all,
    starts,
    tapsOf: links.tapsOf,
    openingsOf: links.openingsOf,
    /** Calls the listener for events in the order of time. */
    replay({ window = Number.POSITIVE_INFINITY, tap, opening, start }: Listener): void {
      let nextTap = 0;
      let nextOpening = 0;
      for (const next of starts.all) {
        for (;;) {
          const tapped = taps[nextTap];
          const opened = openings[nextOpening];
          if (tapped !== undefined && tapped.at <= next.at && (opened === undefined || tapped.at <= opened.at)) {
            tap(tapped, next.place);
            nextTap++;
          } else if (opened !== undefined && opened.at <= next.at) {
            opening(opened);
            nextOpening++;
          } else break;
        }
        if (starts.mayMatch(next, window)) start(next);
      }
    },
  };
}
export type History = ReturnType<typeof simulate>;

function inOrder<T extends { at: number }>(events: readonly T[], end: number): T[] {
  return events.filter(({ at }) => at < end).sort((a, b) => a.at - b.at);
}
