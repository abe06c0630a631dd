// What the services that own tables share when each of them is a process of its own.
export { assertUsable } from './assert-usable.ts';
export { readWorkerConfig, WorkerConfig } from './config.ts';
export { runRetention, startRetention } from './retention.ts';
export { runWorker, startWorker, type Worker, type WorkerOptions, type WorkerParts } from './worker.ts';
