export { deleteExpired } from './retention.ts';
export { attributionService } from './service.ts';
export { AttributionConfig, RetentionConfig } from './worker.ts';
