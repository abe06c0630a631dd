// A rule that decides which device gets a link. It sees events in the order of time, and never who tapped.
import type { Opening, Start, Tap } from '../world/events.ts';

export interface Matcher {
  /** Milliseconds after which a tap is of no interest. Undefined: the rule must see every start. */
  readonly window: number | undefined;
  /** @param place the place of the next start */
  tap(tap: Tap, place: number): void;
  opening(opening: Opening): void;
  /** Returns the links that this start of the app gets. */
  start(start: Start): readonly number[];
}

export const NO_LINKS: readonly number[] = [];
