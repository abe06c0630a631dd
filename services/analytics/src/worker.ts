// The analytics service as a worker, with the job that deletes expired rows. The service's own process runs it.
import { StartError } from '@landfall/runtime';
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type OnClickHouse, onClickHouse } from './clickhouse/index.ts';
import { type AnalyticsConfig, analyticsConfig } from './config.ts';
import { deleteExpired } from './retention.ts';
import { analyticsFromClickHouse, analyticsService } from './service.ts';

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
      analyticsFromClickHouse({ ...parts, clickhouse });
      const { ping } = clickhouse.clickhouse;
      health.add('clickhouse', () => ping().then(() => ({ ok: true })));
    },
    async prepare({ database, config, log }) {
      const expire = (now: Date) => deleteExpired(database, now, config);
      if (clickhouse === undefined) return startRetention(expire, log);
      await copyAtStart(clickhouse);
      return startRetention((now) => expireOn(clickhouse!, expire, now), log);
    },
  };
}

async function copyAtStart({ mirror }: OnClickHouse): Promise<void> {
  try {
    await mirror.copy(new Date());
  } catch (error) {
    throw new StartError(
      `ANALYTICS_URL names a ClickHouse that cannot be used: ${(error as Error).message}. \`landfall analytics clickhouse\` makes the tables.`,
    );
  }
}

/** ClickHouse drops old events by itself. It gets the salts of the next days, and loses those of days that are over. */
async function expireOn({ mirror }: OnClickHouse, expire: (now: Date) => Promise<object>, now: Date): Promise<object> {
  const deleted = await expire(now);
  await mirror.deleteSalts();
  await mirror.copy(now);
  return deleted;
}
