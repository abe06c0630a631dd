import type en from './en.json';

/** The words that the loaded pages read. The build adds those of a page to its code. */
export const words = {} as typeof en;
