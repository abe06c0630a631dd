import { integer } from '@landfall/runtime';
import { readWorkerConfig, WorkerConfig } from '@landfall/worker';
import { z } from 'zod';

export const AnalyticsRetentionConfig = z.object({
  KEEP_ANALYTICS_DAYS: integer(2, 3650)
    .default(90)
    .describe(
      'Days that single events are kept for analytics, in whole months. Counts by one dimension are kept forever. Longer: questions with several filters reach further back.',
    ),
});

export const ClickHouseConfig = z.object({
  ANALYTICS_URL: z
    .url({ protocol: /^clickhouse$/, error: 'must be a clickhouse:// URL' })
    .optional()
    .describe(
      'Questions about events are answered from this ClickHouse: `clickhouse://user:password@host:8123/database`, with `?secure=true` for HTTPS. Without it from PostgreSQL. See [Analytics in ClickHouse](../guides/clickhouse.md).',
    )
    .meta({ secret: true }),
});

export const AnalyticsConfig = z.object({
  ...WorkerConfig.shape,
  ...AnalyticsRetentionConfig.shape,
  ...ClickHouseConfig.shape,
});
export type AnalyticsConfig = z.output<typeof AnalyticsConfig>;

export const analyticsConfig = (env: NodeJS.ProcessEnv): AnalyticsConfig => readWorkerConfig(AnalyticsConfig, env);
