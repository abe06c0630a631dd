// Clients and buses of a test over brokers. With `afterEach(stopAll)` they end with the test.
import { type Admin, Kafka, logLevel, type Message } from 'kafkajs';
import { inject } from 'vitest';
import { quiet } from './cluster.testing.ts';
import { openDeadLetters } from './index.ts';
import { openInspection } from './inspect.ts';
import type { KafkaBus } from './options.ts';
import { openSettling } from './settled.testing.ts';

/** The broker of the run. */
export const brokers = inject('kafkaBrokers').split(',');

export const running: { stop(): Promise<unknown> }[] = [];

/** Stops what was started, the last one first. */
export async function stopAll(): Promise<void> {
  for (const one of running.splice(0).toReversed()) await one.stop();
}

export async function started(bus: KafkaBus): Promise<KafkaBus> {
  running.push(bus);
  await bus.start();
  return bus;
}

export function deadLetters(prefix: string) {
  const box = openDeadLetters({ brokers }, quiet, prefix);
  running.push({ stop: () => box.close() });
  return box;
}

export function inspectionOf(of: readonly string[], prefix: string) {
  const inspection = openInspection({ brokers: of }, quiet, prefix);
  running.push({ stop: () => inspection.close() });
  return inspection;
}

export async function settled(prefix: string): Promise<void> {
  const settling = openSettling({ brokers }, quiet, prefix);
  await settling.settled();
  await settling.close();
}

export const clientOf = (of: readonly string[]) => new Kafka({ brokers: [...of], logLevel: logLevel.NOTHING });

/** Writes messages as another program would. */
export async function write(topic: string, ...messages: Message[]): Promise<void> {
  const producer = clientOf(brokers).producer();
  await producer.connect();
  await producer.send({ topic, messages });
  await producer.disconnect();
}

export async function asAdmin<T>(look: (admin: Admin) => Promise<T>, of: readonly string[] = brokers): Promise<T> {
  const admin = clientOf(of).admin();
  await admin.connect();
  try {
    return await look(admin);
  } finally {
    await admin.disconnect();
  }
}
