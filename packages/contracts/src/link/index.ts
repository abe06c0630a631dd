export * from './events.ts';
export * from './link.ts';
export * from './requests.ts';
