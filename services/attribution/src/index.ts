// Exports the attribution service for the process that runs it.
export { deleteExpired } from './retention.ts';
export { attributionService } from './service.ts';
export { AttributionConfig, RetentionConfig } from './worker.ts';
