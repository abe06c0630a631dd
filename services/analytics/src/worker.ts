import { StartError } from '@landfall/runtime';
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type OnClickHouse, onClickHouse } from './clickhouse/index.ts';
import { type AnalyticsConfig, analyticsConfig } from './config.ts';
import { deleteExpired } from './retention.ts';
import { analyticsFromClickHouse, analyticsService } from './service.ts';

/** The service with the job that deletes expired rows, for a process of its own. */
export function analyticsWorker(env: NodeJS.ProcessEnv): WorkerOptions<AnalyticsConfig> {
  let clickhouse: OnClickHouse | undefined;
  return {
    service: 'analytics',
    env,
    config: analyticsConfig,
    register(parts) {
      const { database, config, health } = parts;
      if (config.ANALYTICS_URL === undefined) return analyticsService(parts);
      clickhouse = onClickHouse(config.ANALYTICS_URL, database);
      analyticsFromClickHouse(parts, clickhouse);
      const { ping } = clickhouse.clickhouse;
      health.add('clickhouse', () => ping().then(() => ({ ok: true })));
    },
    async prepare({ database, config, log }) {
      const expire = (now: Date) => deleteExpired(database, now, config);
      if (clickhouse === undefined) return startRetention(expire, log);
      const { mirror } = clickhouse;
      await mirror.copy(new Date()).catch((error: Error) => {
        throw new StartError(
          `ANALYTICS_URL names a ClickHouse that cannot be used: ${error.message}. \`landfall analytics clickhouse\` makes the tables.`,
        );
      });
      // ClickHouse drops old events by itself. It gets the salts of the next days, and loses those of days that are over.
      return startRetention(async (now) => {
        const deleted = await expire(now);
        await mirror.deleteSalts();
        await mirror.copy(now);
        return deleted;
      }, log);
    },
  };
}
