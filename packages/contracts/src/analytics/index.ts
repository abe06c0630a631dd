export * from './events.ts';
export * from './links.ts';
export * from './questions.ts';
