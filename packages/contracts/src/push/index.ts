export * from './deliveries.ts';
export * from './devices.ts';
export * from './events.ts';
export * from './image-url.ts';
export * from './message.ts';
export * from './notifications.ts';
export * from './providers.ts';
