// The push service as a worker, together with the sender, for a separate process.
import { createSealer } from '@landfall/runtime';
import { startRetention, type WorkerOptions } from '@landfall/worker';
import { type PushConfig, pushConfig } from './config.ts';
import { deletePushes } from './retention.ts';
import { createSending, type PushSending } from './sending.ts';
import { pushService } from './service.ts';

/** @param now for tests: returns the time in milliseconds since 1970. Default: the system clock */
export function pushWorker(env: NodeJS.ProcessEnv, now?: () => number): WorkerOptions<PushConfig> {
  let sending: PushSending | undefined;
  return {
    service: 'push',
    env,
    config: pushConfig,
    register({ bus, database, config, log, metrics }) {
      const sealer = createSealer(config.SEAL_SECRET);
      sending = createSending({ bus, database, sealer, log, metrics, settings: config, now });
      pushService({ bus, database, sealer, ...sending });
    },
    prepare: async ({ database, config, log }) => startRetention((at) => deletePushes(database, at, config), log),
    go: () => sending!.start(),
  };
}
