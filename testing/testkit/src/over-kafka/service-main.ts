// Runs a service as a process of its own as its main.ts does, but with the clock of a test: `service-main.ts <service>`.
import { createKafkaBus, type KafkaOptions } from '@landfall/bus/kafka';
import { run } from '@landfall/runtime';
import { runWorker } from '@landfall/worker/run';
import { noteMessages } from './noted-messages.ts';
import { readClock } from './shared-clock.ts';

const { env } = process;
const folder = env.TEST_FOLDER ?? '';
const clock = readClock(env.TEST_CLOCK ?? '');
/** Tests wait until everything is done, and whether it is done is known when it is committed. */
const COMMIT_MS = 10;
const createBus = (options: KafkaOptions) =>
  noteMessages(createKafkaBus({ ...options, clock, commitMs: COMMIT_MS }), folder, options.instance);

// A process loads its own service alone, as in production.
const services: Record<string, () => Promise<void>> = {
  async gateway() {
    const { startGatewayProcess } = await import('@landfall/gateway/process');
    await run(() => startGatewayProcess({ env, now: clock, createBus }));
  },
  async console() {
    const { consoleWorker } = await import('@landfall/console/worker');
    const { quickPasswords } = await import('../system/quick-passwords.ts');
    await runWorker({ ...consoleWorker(env, { now: clock, passwords: quickPasswords }), createBus });
  },
  async link() {
    const { linkWorker } = await import('@landfall/link/worker');
    await runWorker({ ...linkWorker(env), createBus });
  },
  async attribution() {
    const { attributionWorker } = await import('@landfall/attribution/worker');
    await runWorker({ ...attributionWorker(env), createBus });
  },
  async analytics() {
    const { analyticsWorker } = await import('@landfall/analytics/worker');
    await runWorker({ ...analyticsWorker(env), createBus });
  },
  async push() {
    const { pushWorker } = await import('@landfall/push/worker');
    await runWorker({ ...pushWorker(env, clock), createBus });
  },
};
await services[process.argv[2] ?? '']!();
