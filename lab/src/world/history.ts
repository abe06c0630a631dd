// Everything that happens in a world, in the order of time. A seed decides it.
import { createHash } from 'node:crypto';
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Install, Opening, Start, Tap } from './events.ts';
import { createGround, type Size } from './ground.ts';
import { createInstalls } from './installs.ts';
import { simulateStarts, startsBefore } from './starts.ts';
import { simulateTaps } from './taps.ts';
import { DAY } from './time.ts';

export interface History {
  readonly spec: WorldSpec;
  /** The scored time, in milliseconds from the begin of the run. */
  readonly scored: readonly [from: number, until: number];
  readonly taps: readonly Tap[];
  readonly openings: readonly Opening[];
  readonly installs: readonly Install[];
  /** Restores and heartbeats. */
  readonly starts: number;
  tapsOf(person: number, link: number): readonly number[];
  openingsOf(person: number, link: number): readonly number[];
  /** Calls the listener for each event in the order of time. A `Start` is valid during the call. */
  replay(listener: Listener): void;
  /** Returns a hash of all events. */
  digest(): string;
}

export interface Listener {
  tap(tap: Tap): void;
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
  const before = startsBefore(ground, installs.all);
  const starts = simulateStarts(ground, installs.all);

  return {
    spec,
    scored: [size.warmUp * DAY, end],
    taps,
    openings,
    installs: installs.all,
    starts: starts.count,
    tapsOf: links.tapsOf,
    openingsOf: links.openingsOf,
    replay({ tap, opening, start }) {
      for (const one of before) start(one);
      let nextTap = 0;
      let nextOpening = 0;
      for (let i = 0; i < starts.count; i++) {
        const at = starts.at(i);
        for (;;) {
          const tapped = taps[nextTap];
          const opened = openings[nextOpening];
          if (tapped !== undefined && tapped.at <= at && (opened === undefined || tapped.at <= opened.at)) {
            tap(tapped);
            nextTap++;
          } else if (opened !== undefined && opened.at <= at) {
            opening(opened);
            nextOpening++;
          } else break;
        }
        start(starts.read(i));
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
