// What the push service is asked, and what it tells.
export * from './deliveries.ts';
export * from './devices.ts';
export * from './events.ts';
export * from './message.ts';
export * from './notifications.ts';
export * from './providers.ts';
