export { type MadeUpPast, madeUpPast } from './made-up-past.ts';
export type { MadeUpRows } from './repositories/made-up-repository.ts';
export { deleteExpired } from './retention.ts';
export { attributionService } from './service.ts';
export { AttributionConfig, RetentionConfig } from './worker.ts';
