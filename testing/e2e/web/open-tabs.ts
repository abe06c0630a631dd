// The tabs that tests of this process have opened.
import type { BrowserContext, Page } from 'playwright-core';

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** What went wrong in this browser: errors of scripts, broken policies, failed requests, requests to other hosts. */
  faults: string[];
}

export interface OpenTab extends Tab {
  /** The requests that got no answer, or one that refuses. */
  refused: string[];
}

export const tabs: OpenTab[] = [];
