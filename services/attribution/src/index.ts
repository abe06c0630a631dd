// Exports the attribution service for the process that runs it.
export { AttributionConfig, keepOf, RetentionConfig } from './config.ts';
export { type Deleted, deleteExpired, type Retention } from './retention.ts';
export { attributionService } from './service.ts';
