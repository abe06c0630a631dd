// What the services that own tables share when each of them is a process of its own. What runs one, and brings Kafka along, is
// `@landfall/worker/run`.
export { assertUsable } from './assert-usable.ts';
export { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from './config.ts';
export { runRetention, startRetention } from './retention.ts';
export type { Worker, WorkerOptions, WorkerParts } from './worker.ts';
