// Exports the analytics service for the process that runs it.
export { analyticsMetricTable } from './analytics-metrics.ts';
export { AnalyticsConfig, AnalyticsRetentionConfig, ClickHouseConfig } from './config.ts';
export { factsOfEvent } from './facts-of.ts';
export type { Inbox } from './inbox.ts';
export { recountAll, removeEvents } from './recount.ts';
export { demoRepository } from './repositories/demo-repository.ts';
export { deleteExpired } from './retention.ts';
export { analyticsService, analyticsWithInbox, countedTopics, countings } from './service.ts';
