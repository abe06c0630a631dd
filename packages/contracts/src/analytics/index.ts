export * from './links.ts';
export * from './questions.ts';
