// Public events of an app that does not exist, for demonstrations, benchmarks and tests.
export { type DemoEvent, type DemoOptions, demoEvents } from './demo-events.ts';
export { type DemoLink, demoLinks } from './links/demo-links.ts';
