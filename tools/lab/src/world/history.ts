// Everything that happens in a world, in the order of time. A seed decides it.
import { createHash } from 'node:crypto';
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Install, Opening, Start, Tap } from './events.ts';
import { createGround, type Size } from './ground.ts';
import { createInstalls } from './installs.ts';
import type { StartTable } from './start-table.ts';
import { simulateStarts } from './starts.ts';
import { simulateTaps } from './taps.ts';
import { DAY } from './time.ts';

export interface History {
  readonly spec: WorldSpec;
  /** The scored time, in milliseconds from the begin of the run. */
  readonly scored: readonly [from: number, until: number];
  readonly taps: readonly Tap[];
  readonly openings: readonly Opening[];
  readonly installs: readonly Install[];
  readonly starts: StartTable;
  tapsOf(person: number, link: number): readonly number[];
  openingsOf(person: number, link: number): readonly number[];
  /** Calls the listener for events in the order of time. A `Start` is valid during the call. */
  replay(listener: Listener): void;
  /** Returns a hash of all events. */
  digest(): string;
}

export interface Listener {
  /**
   * Milliseconds. Only starts within this time after a tap at their address are told, and those of installs with a token.
   * Left out: all starts.
   */
  readonly window?: number;
  /** @param place the place of the next start */
  tap(tap: Tap, place: number): void;
  opening(opening: Opening): void;
  start(start: Start): void;
}

export function simulate(spec: WorldSpec, size: Size, seed: string): History {
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
  const read = starts.reader();

  return {
    spec,
    scored: [size.warmUp * DAY, end],
    taps,
    openings,
    installs: installs.all,
    starts,
    tapsOf: links.tapsOf,
    openingsOf: links.openingsOf,
    replay({ window = Number.POSITIVE_INFINITY, tap, opening, start }) {
      let nextTap = 0;
      let nextOpening = 0;
      for (let place = 0; place < starts.count; place++) {
        const at = starts.at(place);
        for (;;) {
          const tapped = taps[nextTap];
          const opened = openings[nextOpening];
          if (tapped !== undefined && tapped.at <= at && (opened === undefined || tapped.at <= opened.at)) {
            tap(tapped, place);
            nextTap++;
          } else if (opened !== undefined && opened.at <= at) {
            opening(opened);
            nextOpening++;
          } else break;
        }
        if (starts.sinceTap(place) <= window || starts.hasToken(place)) start(read(place));
      }
    },
    digest() {
      const hash = createHash('sha256');
      for (const { at, person, link, v4, v6, userAgent } of taps)
        hash.update([at, person, link, v4, v6, userAgent].join());
      for (const { at, person, link, v4 } of openings) hash.update([at, person, link, v4].join());
      for (const { device, installedAt, due } of installs.all) hash.update([device, installedAt, due?.id].join());
      for (const column of starts.columns()) hash.update(column);
      return hash.digest('hex');
    },
  };
}

function inOrder<T extends { at: number }>(events: readonly T[], end: number): T[] {
  return events.filter(({ at }) => at < end).sort((a, b) => a.at - b.at);
}
