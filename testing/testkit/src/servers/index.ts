// PostgreSQL, Kafka and Redis for a test run: what the environment names, else what this machine has, else containers.
// Knows nothing of the test runner, whose configuration asks it what there is: what takes long to load is loaded when it is used.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kafkaAvailable, redisAvailable, startKafka, startRedis } from '@landfall/local';
import { type Kind, startContainer } from './containers.ts';
import { NoImage, noEngine } from './engine.ts';
import { containersOnly, type Source, whereFrom } from './where-from.ts';

export interface ServerOfRun {
  /** Empty when there is none. */
  address: string;
  /** The reason why there is none, and the attempts. */
  missing: string;
  stop(): Promise<void>;
}

/** One for a whole run. Throws when one is to be had, but does not start. */
export async function serverOfRun(kind: Kind): Promise<ServerOfRun> {
  const source = await sourceOf(kind);
  switch (source.from) {
    case 'address':
      return { ...none(''), address: source.address };
    case 'program':
      return { missing: '', ...(await programs[kind].start()) };
    case 'container':
      try {
        return { missing: '', ...(await startContainer(kind)) };
      } catch (error) {
        if (error instanceof NoImage) return none(`${programs[kind].variable} is not set. ${error.message}`);
        throw error;
      }
    case 'nowhere':
      return none(source.why);
  }
}

/** The places from which `serverOfRun` takes it. */
export function sourceOf(kind: Kind): Promise<Source> {
  const { variable, missing } = programs[kind];
  return whereFrom({
    variable,
    address: process.env[variable],
    containersOnly: containersOnly(process.env.TEST_WITH),
    noProgram: missing,
    noEngine,
  });
}

const none = (missing: string): ServerOfRun => ({ address: '', missing, stop: async () => {} });

interface Program {
  /** The variable that may name a server instead. */
  variable: string;
  missing(): string | undefined | Promise<string | undefined>;
  start(): Promise<{ address: string; stop(): Promise<void> }>;
}

const programs: Record<Kind, Program> = {
  postgres: {
    variable: 'TEST_DATABASE_URL',
    missing: async () => (await import('@landfall/db')).embeddedAvailable(),
    async start() {
      const { startEmbedded } = await import('@landfall/db');
      const folder = mkdtempSync(path.join(tmpdir(), 'landfall-test-'));
      // PostgreSQL runs as another user when the tests run as root.
      chmodSync(folder, 0o755);
      const server = await startEmbedded({ dir: path.join(folder, 'postgres'), durable: false });
      return {
        address: server.superuserUrl,
        async stop() {
          await server.stop();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
  },
  kafka: {
    variable: 'TEST_KAFKA_BROKERS',
    missing: kafkaAvailable,
    async start() {
      const { brokers, stop } = await startKafka();
      return { address: brokers.join(), stop };
    },
  },
  redis: {
    variable: 'TEST_REDIS_URL',
    missing: redisAvailable,
    async start() {
      const { url, stop } = await startRedis();
      return { address: url, stop };
    },
  },
};
