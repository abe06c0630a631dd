// Messages and members for the tests of the Kafka adapter. Members run in this process or in other processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { event, request } from '@landfall/contracts';
import { z } from 'zod';
import { collector } from '../conformance/gates.ts';
import type { Log } from '../observer.ts';
import { createKafkaBus } from './index.ts';
import type { KafkaBus, KafkaOptions } from './options.ts';

const input = z.object({ n: z.int(), key: z.string().default('k') });

export const Add = request({
  kind: 'command',
  name: 'Add',
  description: 'For tests.',
  topic: 'sums.commands',
  input,
  reply: z.object({ n: z.int(), by: z.string() }),
  refusals: {},
  key: (data) => data.key,
});

export const Added = event({
  name: 'Added',
  description: 'For tests.',
  audience: 'internal',
  producer: 'test',
  topic: 'sum.added',
  data: input,
  key: (data) => data.key,
});

export const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** An error that the members treat as an infrastructure error. */
export const away = (): Error => new Error('away');

/** Returns a topic prefix that no other test uses. */
export const freshPrefix = (): string => `${randomUUID().slice(0, 8)}.`;

export const memberOptions = (brokers: readonly string[], prefix: string): KafkaOptions => ({
  service: 'sums',
  instance: randomUUID(),
  connection: { brokers },
  prefix,
  topics: {
    partitions: 3,
    replication: brokers.length > 1 ? 3 : 1,
    eventHours: 1,
    commandHours: 1,
    deadLetterHours: 1,
  },
  log: quiet,
  isTransient: (error) => error instanceof Error && error.message === 'away',
  otherTopics: ['sums.commands', 'sum.added'],
  commitMs: 20,
  onFatal(error) {
    throw error;
  },
});

export const member = (brokers: readonly string[], prefix: string, options: Partial<KafkaOptions> = {}): KafkaBus =>
  createKafkaBus({ ...memberOptions(brokers, prefix), ...options });

/** A process that answers `Add` and reports what it does. */
export interface Worker {
  readonly child: ChildProcess;
  /** The message ids that the process received, in order. */
  readonly given: ReturnType<typeof collector<string>>;
  /** Sends the signal to the process. Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** @param commitMs milliseconds between two commits of offsets */
export async function startWorker(brokers: readonly string[], prefix: string, commitMs = 20): Promise<Worker> {
  const script = new URL('worker.testing.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, brokers.join(), prefix, `${commitMs}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const given = collector<string>();
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line === 'ready') ready.resolve();
    else given.add(line);
  });
  await Promise.race([ready.promise, ended.then(() => Promise.reject(new Error('the worker ended')))]);
  return {
    child,
    given,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
