import type en from './en.json';

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en;
  }
}

/** The words that the loaded pages read. The build adds those of a page to its code. */
export const words = {} as typeof en;
