// Google's and Apple's servers, as far as a sender of pushes sees them.
export * from '../certificates.ts';
export * from './behaviour.ts';
export * from './fake-apns.ts';
export * from './fake-credentials.ts';
export * from './fake-fcm.ts';
export * from './fakes.ts';
export type { GoAway } from './lines.ts';
export * from './received.ts';
