import { AnalyticsRetentionConfig } from '@landfall/analytics';
import { RetentionConfig } from '@landfall/attribution';
import { InitOwnerConfig, RulesConfig } from '@landfall/console';
import { PushRetentionConfig, StandalonePushConfig } from '@landfall/push';
import { databaseUrl, integer, LogConfig, readConfig, StartError } from '@landfall/runtime';
import { AuditRetentionConfig } from '@landfall/worker';
import { z } from 'zod';

export const StandaloneConfig = z.object({
  LANDFALL_DATA: z
    .string()
    .default('.landfall')
    .describe('The folder of the embedded PostgreSQL and of the secrets that were made at the first start.'),
  DATABASE_URL: databaseUrl()
    .optional()
    .describe('A PostgreSQL of your own, 14 or newer. Without it an embedded one runs in LANDFALL_DATA.')
    .meta({ secret: true, fallback: 'embedded' }),
  NGROK_AUTHTOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('Your token of ngrok, for `npm start -- --tunnel`.')
    .meta({ secret: true }),
  ...LogConfig.shape,
  ...InitOwnerConfig.shape,
  ...RulesConfig.shape,
  ...RetentionConfig.shape,
  ...AuditRetentionConfig.shape,
  ...PushRetentionConfig.shape,
  ...AnalyticsRetentionConfig.shape,
  ...StandalonePushConfig.shape,
  KEEP_DEAD_LETTER_DAYS: integer(1, 3650).default(90).describe('Days that messages that were given up on are kept.'),
});
export type StandaloneConfig = z.output<typeof StandaloneConfig>;

export function standaloneConfig(env: NodeJS.ProcessEnv = process.env): StandaloneConfig {
  // If the variable were ignored, an operator could believe that their brokers carry the messages.
  if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) {
    throw new StartError(
      'KAFKA_BROKERS is set, and npm start runs everything in one process without Kafka: take it away, or start each service by itself (see docs/guides/scaling-out.md).',
    );
  }
  return readConfig(StandaloneConfig, env);
}
