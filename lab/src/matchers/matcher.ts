// A rule that decides which device gets a link. It sees events in the order of time, and never who tapped.
import type { Opening, Start, Tap } from '../world/events.ts';

export interface Matcher {
  tap(tap: Tap): void;
  opening(opening: Opening): void;
  /** Returns the links that this start of the app gets. */
  start(start: Start): readonly number[];
}

export const NO_LINKS: readonly number[] = [];
