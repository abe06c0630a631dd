// The analytics service as a worker, with the job that deletes expired rows. The service's own process runs it.
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type AnalyticsConfig, analyticsConfig } from './config.ts';
import { deleteExpired } from './retention.ts';
import { analyticsService } from './service.ts';

export const analyticsWorker = (env: NodeJS.ProcessEnv): WorkerOptions<AnalyticsConfig> => ({
  service: 'analytics',
  env,
  config: analyticsConfig,
  register: analyticsService,
  prepare: async ({ database, config, log }) =>
    startRetention((now) => deleteExpired(database, now, { analyticsDays: config.KEEP_ANALYTICS_DAYS }), log),
});
