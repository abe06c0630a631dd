import { defineConfig } from 'vitest/config';

// The suffix says what a test needs: nothing (unit), PostgreSQL (int), the whole system over HTTP (e2e),
// Kafka and Redis as well (kafka).
const postgres = ['packages/testkit/src/global-setup.ts'];
const scaleOut = ['packages/testkit/src/scale-out-setup.ts'];

export default defineConfig({
  test: {
    // Half of them wait for PostgreSQL at any time.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['*.unit.test.ts', '{packages,services}/*/src/**/*.unit.test.ts'],
          // Properties run hundreds of cases, and the machine may be busy with other suites.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'int',
          include: ['{packages,services}/*/src/**/*.int.test.ts'],
          globalSetup: postgres,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['services/*/e2e/**/*.e2e.test.ts'],
          globalSetup: postgres,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'kafka',
          include: ['{packages,services}/*/src/**/*.kafka.test.ts', 'services/*/e2e/**/*.kafka.test.ts'],
          globalSetup: [...postgres, ...scaleOut],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They end processes and wait for what follows: one file at a time, when the others are done.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
