// The product for a whole test run: every service a process of its own, two gateways and a console, over Kafka and Redis, on one database.
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '@landfall/db/testing';
import { type ServiceName, startStack } from '@landfall/stack';
import { Kafka, logLevel } from 'kafkajs';
import type { TestProject } from 'vitest/node';
import { type FakesLine, startFakesApart } from '../push/fakes.ts';
import { LINK_DOMAIN, OPEN, PUBLIC_URL } from '../system/settings.ts';
import { writeClock } from './shared-clock.ts';

/** The facts that tests need about it. */
export interface StackOfRun {
  /** The ports of the gateways. */
  ports: readonly number[];
  consolePort: number;
  /** Of every process; gateways that a test starts itself have the same. */
  env: Record<string, string>;
  databaseUrl: string;
  redisUrl: string;
  brokers: readonly string[];
  prefix: string;
  /** The names of the gateways. */
  gateways: readonly string[];
  /** The name of the console. */
  console: string;
  /** The folder in which processes and tests leave notes for each other. */
  folder: string;
  clockFile: string;
  /** The log lines of the processes, at every level. */
  logFile: string;
  /** The push servers, instead of Google's and Apple's. */
  fakes: FakesLine;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** `kafka`: systems of this project run over Kafka, on `stack`. */
    over: 'kafka' | undefined;
    stack: StackOfRun;
  }
}

/** The file for Node that runs a service. */
export const program = (service: ServiceName): string[] => [path.join(import.meta.dirname, 'service-main.ts'), service];

export default async function setup(project: TestProject) {
  const { databaseServerUrl, kafkaBrokers, redisUrl } = project.getProvidedContext();
  // Its tests say that they are skipped, and why.
  if (!kafkaBrokers || !redisUrl) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-over-kafka-'));
  chmodSync(folder, 0o755);
  const clockFile = path.join(folder, 'clock');
  writeClock(clockFile, 0);
  const database = await createTestDatabase(databaseServerUrl);
  const fakes = await startFakesApart();
  const { close: closeFakes, ...line } = fakes;
  const logFile = path.join(folder, 'log');
  const clean = async () => {
    // For a test that failed: what the services did meanwhile.
    if (existsSync(logFile)) copyFileSync(logFile, path.resolve('.cache/over-kafka-services.log'));
    await closeFakes();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const stack = await startStack({
      dir: path.join(folder, 'stack'),
      databaseUrl: database.url,
      brokers: kafkaBrokers.split(','),
      redisUrl,
      prefix: `e2e-${randomBytes(4).toString('hex')}.`,
      processes: { gateway: 2 },
      env: {
        PUBLIC_URL,
        LINK_DOMAIN,
        HASH_SECRET: randomBytes(32).toString('hex'),
        SEAL_SECRET: randomBytes(32).toString('hex'),
        // The result of a limit must not depend on the load of this machine.
        REDIS_TIMEOUT_MS: '2000',
        LOG_LEVEL: 'debug',
        ...OPEN,
        TEST_FOLDER: folder,
        TEST_CLOCK: clockFile,
        FCM_URL: fakes.fcmUrl,
        APNS_URL: fakes.apnsUrl,
        PUSH_CA: fakes.ca,
      },
      program,
      restart: false,
      onLine(name, line) {
        appendFileSync(logFile, `${line}\n`);
        if (process.env.LOG_LEVEL === 'debug') console.error(name, line);
      },
    });
    await keepRecords(stack.brokers, stack.env.KAFKA_PREFIX ?? '');
    project.provide('stack', {
      ports: stack.ports,
      consolePort: stack.consolePorts[0]!,
      env: stack.env as Record<string, string>,
      databaseUrl: database.url,
      redisUrl,
      brokers: stack.brokers,
      prefix: stack.env.KAFKA_PREFIX ?? '',
      gateways: stack.processes.filter(({ name }) => name.startsWith('gateway-')).map(({ name }) => name),
      console: 'console-1',
      folder,
      clockFile,
      logFile,
      // Only data can be handed to tests.
      fakes: JSON.parse(JSON.stringify(line)),
    });
    return async () => {
      await stack.stop();
      await clean();
    };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** The last files of the run read every record of it, and a run on a busy machine lasts longer than answers are kept. */
async function keepRecords(brokers: readonly string[], prefix: string): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    const configEntries = ['retention.ms', 'segment.ms'].map((name) => ({ name, value: `${24 * 3_600_000}` }));
    await admin.alterConfigs({
      validateOnly: false,
      resources: topics.map((name) => ({ type: TOPIC, name, configEntries })),
    });
  } finally {
    await admin.disconnect();
  }
}

/** As the protocol numbers what has settings. */
const TOPIC = 2;
