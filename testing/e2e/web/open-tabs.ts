// The tabs that tests of this process have opened.
import type { BrowserContext, Page } from 'playwright-core';

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** What went wrong in this browser: errors of scripts, broken policies, failed requests, requests to other hosts. */
  faults: string[];
}

export interface Asked {
  /** The method and the path. */
  request: string;
  /** The status of the answer, the reason why there is none, or that it is awaited. */
  outcome: string;
}

export interface OpenTab extends Tab {
  /** The requests, and what came of them. */
  asked: Asked[];
}

export const tabs: OpenTab[] = [];
