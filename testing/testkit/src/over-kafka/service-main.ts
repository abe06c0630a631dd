// Runs a service as a process of its own as its main.ts does, but with the clock of a test: `service-main.ts <service>`.
import { accountWorker } from '@landfall/account/worker';
import { analyticsWorker } from '@landfall/analytics/worker';
import { attributionWorker } from '@landfall/attribution/worker';
import { createKafkaBus, type KafkaOptions } from '@landfall/bus/kafka';
import { startGatewayProcess } from '@landfall/gateway/process';
import { linkWorker } from '@landfall/link/worker';
import { pushWorker } from '@landfall/push/worker';
import { run } from '@landfall/runtime';
import { runWorker } from '@landfall/worker/run';
import { quickPasswords } from '../system/quick-passwords.ts';
import { noteMessages } from './noted-messages.ts';
import { readClock } from './shared-clock.ts';

const { env } = process;
const folder = env.TEST_FOLDER ?? '';
const clock = readClock(env.TEST_CLOCK ?? '');
/** Tests wait until everything is done, and whether it is done is known when it is committed. */
const COMMIT_MS = 10;
const createBus = (options: KafkaOptions) =>
  noteMessages(createKafkaBus({ ...options, clock, commitMs: COMMIT_MS }), folder, options.instance);

const services: Record<string, () => Promise<void>> = {
  gateway: () => run(() => startGatewayProcess({ env, now: clock, createBus })),
  account: () => runWorker({ ...accountWorker(env, quickPasswords), createBus }),
  link: () => runWorker({ ...linkWorker(env), createBus }),
  attribution: () => runWorker({ ...attributionWorker(env), createBus }),
  analytics: () => runWorker({ ...analyticsWorker(env), createBus }),
  push: () => runWorker({ ...pushWorker(env, clock), createBus }),
};
await services[process.argv[2] ?? '']!();
