// Exports the attribution service for the process that runs it.
export { deleteExpired, type Retention } from './retention.ts';
export { attributionService } from './service.ts';
export { AttributionConfig, keepOf, RetentionConfig } from './worker.ts';
