// Public events of an app that does not exist, for demonstrations, benchmarks and tests.
export type { DemoEvent } from './agenda.ts';
export type { DemoOptions } from './days.ts';
export { demoEvents } from './demo-events.ts';
export type { Start } from './people/starts.ts';
