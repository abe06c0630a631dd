import {
  assertScaledOut,
  databaseUrl,
  integer,
  KafkaConfig,
  LogConfig,
  MetricsHostsConfig,
  readConfig,
} from '@landfall/runtime';
import { z } from 'zod';

export const WorkerConfig = z.object({
  DATABASE_URL: databaseUrl().describe('Every worker and the console need it.').meta({ secret: true }),
  METRICS_PORT: integer(0, 65_535)
    .default(9464)
    .describe('A worker has no other port.')
    .meta({ fallback: '9464 in a worker and in the console' }),
  ...MetricsHostsConfig.shape,
  ...LogConfig.shape,
  ...KafkaConfig.shape,
});
export type WorkerConfig = z.output<typeof WorkerConfig>;

/** Of the services that write down who did what. */
export const AuditRetentionConfig = z.object({
  KEEP_AUDIT_DAYS: integer(1, 3650).default(400).describe('Days that the audit log is kept.'),
});

export function readWorkerConfig<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  env: NodeJS.ProcessEnv,
): z.output<z.ZodObject<T>> {
  assertScaledOut(env);
  return readConfig(schema, env);
}
