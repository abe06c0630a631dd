// Exports the rule that decides who gets a link: pure functions and their values. The lab runs it without a database.
export type { Ask, NewPendingLink, PendingLink, Sighting } from './domain/candidate.ts';
export { type Device, firstMet, type Heartbeat, heard, isFirstOfDay, met } from './domain/device.ts';
export type { Restore } from './domain/past.ts';
export { createPool } from './domain/pool.ts';
export { claimantOf, REPLAY_SECONDS, restoreInOrder } from './domain/restore.ts';
export { type Activity, NOTHING_SEEN, rolloutOf } from './domain/rollout.ts';
export { longestWindow } from './domain/rules/evidence.ts';
export { CROWD_MINUTES } from './domain/rules/one-install.ts';
