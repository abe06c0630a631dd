// The tabs that tests of this process have opened.
import type { BrowserContext, Page } from 'playwright-core';

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** The faults of this browser: script errors, broken policies, failed requests, requests to other hosts. */
  faults: string[];
}

export const tabs: Tab[] = [];
