// Exports the analytics service for the process that runs it.
export { AnalyticsConfig, AnalyticsRetentionConfig } from './config.ts';
export { deleteExpired, type Retention } from './retention.ts';
export { analyticsService } from './service.ts';
