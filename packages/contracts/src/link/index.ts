export * from './events.ts';
export * from './link.ts';
export * from './read-search.ts';
export * from './requests.ts';
