// The suites, by what they need. The suffix of a file says it: nothing (unit), PostgreSQL (int), the whole system over
// HTTP (e2e), Kafka and Redis as well (kafka), a Docker engine (docker).
import { globSync, readFileSync } from 'node:fs';
import { sourceOf } from '@landfall/testkit/servers';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The search for suites would follow the links of every `node_modules`, for most of a minute. */
const noSuites = configDefaults.exclude;

const postgres = ['testing/testkit/src/global-setup.ts'];
const scaleOut = ['testing/testkit/src/scale-out-setup.ts'];
const stack = ['testing/testkit/src/over-kafka/setup.ts'];

/** Brokers that end and hang: two minutes, for what only a change of the bus can break. */
const BROKERS = 'packages/bus/src/kafka/brokers.kafka.test.ts';

/** A suite that waits for an event, writes to a topic or reads Redis says so at its top. It runs over Kafka, too. */
const OVER_KAFKA = /^\/\/ Over Kafka: /m;
const overKafka = globSync('testing/e2e/**/*.e2e.test.ts').filter((file) =>
  OVER_KAFKA.test(readFileSync(file, 'utf8')),
);

/** A suite that takes long and rarely finds a fault says so at its top. It runs with FULL=yes, and when it is named. */
const FULL_RUN = /^\/\/ Full run: /m;
const isNamed = (file: string): boolean =>
  process.argv.some((argument) => /\w{4}/.test(argument) && file.includes(argument));
const leftOut = process.env.FULL
  ? []
  : globSync('{packages/*/src,tools/*/src,testing/e2e}/**/*.test.ts').filter(
      (file) => !isNamed(file) && FULL_RUN.test(readFileSync(file, 'utf8')),
    );

/** Without a broker and a Redis the two suites that say so stand for all of it, and are skipped. */
const sources = await Promise.all([sourceOf('kafka'), sourceOf('redis')]);
const scalesOut = sources.every(({ from }) => from !== 'nowhere');

const projects = {
  unit: {
    include: [
      '*.unit.test.ts',
      '{packages,services,apps,tools,testing,examples,clients/javascript}/*/src/**/*.unit.test.ts',
    ],
    // Properties run hundreds of cases, and the machine may be busy with other suites.
    testTimeout: 30_000,
  },
  int: {
    include: ['{packages,services,apps,tools,testing}/*/src/**/*.int.test.ts'],
    globalSetup: postgres,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  e2e: {
    include: ['testing/e2e/**/*.e2e.test.ts'],
    exclude: [...noSuites, 'testing/e2e/{web,stack}/**'],
    globalSetup: postgres,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  web: {
    include: ['testing/e2e/web/**/*.e2e.test.ts'],
    globalSetup: [...postgres, 'testing/e2e/web/setup.ts'],
    setupFiles: ['testing/e2e/web/failure-page.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // As long as the browser waits for an element. Within the usual second, a busy machine may not answer a page.
    expect: { poll: { timeout: 10_000 } },
  },
  kafka: {
    // The bus: conformance and failures.
    include: ['{packages,services,apps,tools}/*/src/**/*.kafka.test.ts'],
    exclude: [...noSuites, 'packages/local/**', BROKERS],
    globalSetup: [...postgres, ...scaleOut],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // They end servers and wait for what follows: one file at a time, when the others are done.
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
  brokers: {
    include: [BROKERS],
    globalSetup: [...postgres, ...scaleOut],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
  'over-kafka': {
    // With each service a process of its own.
    include: [...overKafka, 'testing/e2e/**/*.e2e-kafka.test.ts'],
    exclude: [...noSuites, ...(scalesOut ? [] : ['testing/e2e/**/*.e2e.test.ts'])],
    globalSetup: [...postgres, ...scaleOut, ...stack],
    provide: { over: 'kafka' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // All of them have one clock and one database.
    fileParallelism: false,
    sequence: { groupOrder: 2 },
  },
  stack: {
    // Programs that are started, ended and started again, servers that are away, and programs of others that read our topics.
    include: ['{testing/e2e,packages/local,examples}/**/*.kafka.test.ts', 'testing/e2e/stack/*.e2e.test.ts'],
    globalSetup: [...postgres, ...scaleOut],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    sequence: { groupOrder: 3 },
  },
  docker: {
    // The containers, where a Docker engine answers.
    include: ['testing/*/src/**/*.docker.test.ts', 'testing/e2e/**/*.docker.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    sequence: { groupOrder: 4 },
  },
} satisfies Record<string, TestProjectInlineConfiguration['test']>;

/** Suites that look at the remains of all others of their project come after them. */
class AfterTheOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLast = ({ moduleId }: TestSpecification) =>
      /\/(nothing-in-clear|public-topics)\.e2e-kafka\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isLast(file)), ...sorted.filter(isLast)];
  }
}

const withoutLeftOut = (project: NonNullable<TestProjectInlineConfiguration['test']>) => ({
  ...project,
  exclude: [...(project.exclude ?? noSuites), ...leftOut],
});

type Name = keyof typeof projects;
export const everyProject = Object.keys(projects) as Name[];

export const configOf = (names: readonly Name[]) =>
  defineConfig({
    test: {
      reporters: ['default', './testing/testkit/src/slowest-reporter.ts'],
      sequence: { sequencer: AfterTheOthers },
      // One for each core. More of them wait for each other, longer than their time.
      maxWorkers: '100%',
      // Files of one worker share its modules. Loading the product anew for each file would take a third of the run.
      isolate: false,
      // Node loads TypeScript itself, so nothing is transformed: a fifth of the processor less.
      experimental: { viteModuleRunner: false },
      projects: names.map((name) => ({ test: { name, ...withoutLeftOut(projects[name]) } })),
    },
  });
