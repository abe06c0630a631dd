// The shared parts of services that own tables. `@landfall/worker/run` runs one, and brings Kafka along.

export { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from './config.ts';
export { assertUsable, migrate } from './postgres.ts';
export { runRetention, startRetention } from './retention.ts';
export type { Worker, WorkerOptions, WorkerParts } from './worker.ts';
