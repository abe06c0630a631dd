import { sourceOf } from '@landfall/testkit/servers';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The suffix says what a test needs: nothing (unit), PostgreSQL (int), the whole system over HTTP (e2e),
// Kafka and Redis as well (kafka), a Docker engine (docker).
const postgres = ['testing/testkit/src/global-setup.ts'];
const scaleOut = ['testing/testkit/src/scale-out-setup.ts'];
const stack = ['testing/testkit/src/over-kafka/setup.ts'];
const webApp = ['testing/e2e/web/setup.ts'];

/** Suites of the end-to-end tests about one process. They have no meaning for several processes. */
const aboutOneProcess = [
  // Starts and ends the program of `npm start`.
  'testing/e2e/http/process.e2e.test.ts',
  // Runs the demo of push, which starts a product of its own.
  'testing/e2e/push/demo-push.e2e.test.ts',
  // One /metrics for all services, with the limits in memory.
  'testing/e2e/http/metrics.e2e.test.ts',
  // Settings of the account service, which is one for all files of the run.
  'testing/e2e/accounts/team-creation.e2e.test.ts',
];

/** Without a broker and a Redis the two suites that say so stand for all of it, and are skipped. */
const sources = await Promise.all([sourceOf('kafka'), sourceOf('redis')]);
const scalesOut = sources.every(({ from }) => from !== 'nowhere');

/** Suites that look at the remains of all others of their project come after them. */
class AfterTheOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLast = ({ moduleId }: TestSpecification) =>
      /\/(nothing-in-clear|public-topics)\.e2e-kafka\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isLast(file)), ...sorted.filter(isLast)];
  }
}

export default defineConfig({
  test: {
    reporters: ['default', './testing/testkit/src/slowest-reporter.ts'],
    sequence: { sequencer: AfterTheOthers },
    // One for each core. More of them wait for each other, longer than their time.
    maxWorkers: '100%',
    // Files of one worker share its modules. Loading the product anew for each file would take a third of the run.
    isolate: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '*.unit.test.ts',
            '{packages,services,apps,testing,examples}/*/src/**/*.unit.test.ts',
            'lab/src/**/*.unit.test.ts',
          ],
          // Properties run hundreds of cases, and the machine may be busy with other suites.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'int',
          include: ['{packages,services,apps,testing}/*/src/**/*.int.test.ts', 'lab/src/**/*.int.test.ts'],
          globalSetup: postgres,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['testing/e2e/**/*.e2e.test.ts'],
          globalSetup: [...postgres, ...webApp],
          setupFiles: ['testing/e2e/web/failure-page.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // As long as the browser waits for an element. Within the usual second, a busy machine may not answer a page.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'kafka',
          include: ['{packages,services,apps,examples}/*/src/**/*.kafka.test.ts', 'testing/e2e/**/*.kafka.test.ts'],
          globalSetup: [...postgres, ...scaleOut],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They end processes and wait for what follows: one file at a time, when the others are done.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // The end-to-end suite once more, with each service a process of its own.
          name: 'e2e-kafka',
          include: [
            'testing/e2e/{accounts,deferred,http,links,push}/*.e2e.test.ts',
            'testing/e2e/cli/manage.e2e.test.ts',
            'testing/e2e/**/*.e2e-kafka.test.ts',
          ],
          exclude: scalesOut ? aboutOneProcess : ['testing/e2e/**/*.e2e.test.ts'],
          globalSetup: [...postgres, ...scaleOut, ...stack],
          provide: { over: 'kafka' },
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // All of them have one clock and one database.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          // The containers, where a Docker engine answers.
          name: 'docker',
          include: ['testing/*/src/**/*.docker.test.ts', 'testing/e2e/**/*.docker.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
