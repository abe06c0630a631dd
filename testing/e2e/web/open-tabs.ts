// The tabs that tests of this process have opened.
import type { Tab } from './web.ts';

export interface OpenTab extends Tab {
  /** The requests that got no answer, or one that refuses. */
  refused: string[];
}

export const tabs: OpenTab[] = [];
