import type words from './en.json';

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof words;
  }
}
