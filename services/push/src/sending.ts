// Composes the sender, for a separate process and for the single process.
import type { Bus } from '@landfall/bus';
import type { Database } from '@landfall/db';
import { type Logger, type Metrics, type Running, readPushCredentials, type Sealer } from '@landfall/runtime';
import type { PushSettings } from './config.ts';
import { type PushDelivery, startDelivery } from './delivery/delivery.ts';
import { createLogProvider } from './providers/log.ts';
import type { Checked } from './providers/provider.ts';
import { createProviders } from './providers/providers.ts';

export interface SendingParts {
  bus: Bus;
  database: Database;
  sealer: Sealer;
  log: Logger;
  metrics: Metrics;
  settings: PushSettings;
  /** Returns the time in milliseconds since 1970. Default: the system clock. */
  now?: (() => number) | undefined;
}

export type PushSending = ReturnType<typeof createSending>;

/** The sender's side of the service. */
export function createSending({ settings, now = Date.now, ...parts }: SendingParts) {
  const { FCM_URL: fcmUrl, APNS_URL: apnsUrl, PUSH_CA: ca, PUSH_WITHOUT_CREDENTIALS: without } = settings;
  const providers = createProviders({ fcmUrl, apnsUrl, ca });
  let delivery: PushDelivery | undefined;
  return {
    async check(credentials: string): Promise<Checked | null> {
      const provider = providers.make(readPushCredentials(credentials));
      try {
        return await provider.check();
      } finally {
        await provider.close();
      }
    },
    wake: (): void => delivery?.wake(),
    /** Call it when events can be published. */
    start(): Running {
      delivery = startDelivery({
        ...parts,
        now,
        providers: {
          get: providers.get,
          without: (appId, kind) => (without === 'log' ? createLogProvider(appId, kind, parts.log) : null),
        },
      });
      return {
        async stop() {
          await delivery?.stop();
          await providers.close();
        },
      };
    },
  };
}
