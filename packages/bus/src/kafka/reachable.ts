// The first question to the brokers, at the start of a process.
import type { Log } from '../log.ts';
import { createClient } from './client.ts';
import type { KafkaConnection } from './options.ts';

/** The caller reports the error. */
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Rejects with an error of kafkajs when no broker answers, or when they refuse this client. Retries nothing. */
export async function assertBrokersAnswer(connection: KafkaConnection): Promise<void> {
  const admin = createClient('landfall-start', connection, silent, 'none').admin();
  try {
    await admin.connect();
    await admin.describeCluster();
  } finally {
    await admin.disconnect();
  }
}

/**
 * Returns true for an error of {@link assertBrokersAnswer} that passes when the brokers are up. A wrong password does not
 * pass.
 */
export function areBrokersAway(error: unknown): boolean {
  const { name, retriable } = error as { name?: string; retriable?: boolean };
  // kafkajs gives up on passing errors only, and says that the result does not pass.
  return retriable === true || name === 'KafkaJSNumberOfRetriesExceeded';
}
