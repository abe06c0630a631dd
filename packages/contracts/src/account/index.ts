// The requests that the console answers, and its events.
export * from './app-settings.ts';
export * from './apps.ts';
export * from './branding.ts';
export * from './clients.ts';
export * from './keys.ts';
export * from './people.ts';
export * from './texts.ts';
export { newTimeZone } from './time-zone.ts';
