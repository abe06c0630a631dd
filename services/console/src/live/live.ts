// What is shown live, and who shows it.
import type { LiveEvent } from '@landfall/contracts';

/** The decision of one restore, also when no link was given. */
export interface LiveDecision {
  readonly id: string;
  readonly at: string;
  readonly kind: 'decision';
  readonly matchType: string | null;
  /** The decision as one sentence. */
  readonly summary: string;
  readonly considered: readonly object[];
}

export type LiveItem = LiveEvent | LiveDecision;

export interface LiveFeeds {
  /**
   * Calls `seen` for each event of an app from now on, in the order in which they become known. Returns a function that
   * ends it.
   */
  watch(appId: string, seen: (items: readonly LiveItem[]) => void): () => void;
  /** Returns the events of an app since a time, oldest first, at most {@link MOST_LIVE_EVENTS}. */
  since(appId: string, time: Date): Promise<LiveItem[]>;
  stop(): void;
}
