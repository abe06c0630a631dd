import type { Start } from '../world/events.ts';
import type { Listener } from '../world/history.ts';

/** A rule that decides which device gets a link. It sees events in the order of time, and never who tapped. */
export interface Matcher extends Listener {
  /** Returns the links that this start of the app gets. */
  start(start: Start): readonly number[];
}

export const NO_LINKS: readonly number[] = [];
