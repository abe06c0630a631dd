// The API for pages, in one import.
export * from './apps.ts';
export * from './client.ts';
export * from './failure.ts';
export * from './queries.ts';
export * from './session.ts';
