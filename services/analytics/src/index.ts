export { analyticsMetricTable } from './analytics-metrics.ts';
export { AnalyticsConfig, AnalyticsRetentionConfig, ClickHouseConfig } from './config.ts';
export { factsOfEvent } from './facts-of.ts';
export { recountAll, removeEvents } from './recount.ts';
export { demoRepository } from './repositories/demo-repository.ts';
export { completeFromFacts } from './repositories/partition-repository.ts';
export { deleteExpired } from './retention.ts';
export { analyticsService, analyticsWithInbox, countedTopics, countings } from './service.ts';
