// The settings of the push service, and of its connections to push providers.
import { integer, SealConfig } from '@landfall/runtime';
import { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from '@landfall/worker';
import { z } from 'zod';

export const PushRetentionConfig = z.object({
  // An idempotency key is valid for 30 days.
  KEEP_PUSH_DAYS: integer(30, 3650)
    .default(90)
    .describe('Days that notifications, what became of them and who opened them are kept, at least 30.'),
  KEEP_DEVICE_DAYS: integer(30, 3650)
    .default(270)
    .describe('Days that a device that does not register again is kept. Firebase refuses tokens after 270.'),
});

const url = () => z.url({ protocol: /^https$/, error: 'must be an https URL' });

/** @param without what happens to a push whose app has no credentials for it, when the setting is not given */
const providerConfig = <W extends 'log' | 'fail'>(without: W) =>
  z.object({
    PUSH_WITHOUT_CREDENTIALS: z
      .enum(['log', 'fail'])
      .default(without)
      .describe(
        'What becomes of pushes of an app that has no credentials for them: `log` writes into the log that it would have sent it, without its texts, and counts it as `logged`; `fail` fails them.',
      )
      .meta({ fallback: without === 'log' ? '`log` in `npm start`' : '`fail` in a worker' }),
    // Servers that stand in for Google's and Apple's, and the authority of their certificates.
    FCM_URL: url().optional().meta({ forTests: true }),
    APNS_URL: url().optional().meta({ forTests: true }),
    PUSH_CA: z.string().optional().meta({ forTests: true }),
  });

/** The settings of the single process, in which people try out the product. */
export const StandalonePushConfig = providerConfig('log');

export const PushConfig = z.object({
  ...WorkerConfig.shape,
  ...SealConfig.shape,
  ...AuditRetentionConfig.shape,
  ...PushRetentionConfig.shape,
  ...providerConfig('fail').shape,
});
export type PushConfig = z.output<typeof PushConfig>;

export const pushConfig = (env: NodeJS.ProcessEnv): PushConfig => readWorkerConfig(PushConfig, env);

export type PushSettings = z.output<typeof StandalonePushConfig>;
