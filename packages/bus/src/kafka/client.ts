import { type ICustomPartitioner, Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs';
import type { Log } from '../observer.ts';
import { withAdmin } from './admin.ts';
import type { KafkaConnection } from './options.ts';

/** Milliseconds in which kafkajs may log the same line once. In an outage, it logs it thousands of times. */
const SAME_LINE_MS = 10_000;

const RETRIES = { none: 0, some: 5, endless: Number.MAX_SAFE_INTEGER };

/**
 * @param patience how often a failed request is retried. `some`: the retries end within a few seconds, for callers that
 * retry themselves and have a deadline. `none`: one attempt with short timeouts, for callers that only read a state.
 * `endless`: for consumers. A consumer gives up its membership when a request fails, and gets it back only after the
 * broker has forgotten it.
 * @param times the factor for the short timeouts of `none`
 */
export function createClient(
  clientId: string,
  connection: KafkaConnection,
  log: Log,
  patience: 'none' | 'some' | 'endless' = 'some',
  times = 1,
): Kafka {
  const { brokers, tls, sasl } = connection;
  let turn = 0;
  const config: KafkaConfig = {
    clientId,
    // Each new connection begins with another broker: kafkajs would stay with one that accepts it and answers nothing.
    brokers: async () => {
      const first = turn++ % brokers.length;
      return [...brokers.slice(first), ...brokers.slice(0, first)];
    },
    connectionTimeout: patience === 'none' ? 1_000 * times : 2_000,
    authenticationTimeout: 5_000,
    // Longer than any request but a rebalance takes, which has its own timeout. It is what a frozen broker costs.
    requestTimeout: patience === 'none' ? 1_500 * times : 4_000,
    retry: {
      retries: RETRIES[patience],
      initialRetryTime: 100,
      maxRetryTime: 1_000,
      factor: 0.2,
      multiplier: 1.5,
    },
    logLevel: logLevel.WARN,
    logCreator: () => rarely(log),
  };
  if (tls) config.ssl = { ...tls, ...(tls.ca && { ca: [tls.ca] }) };
  if (sasl) config.sasl = sasl as SASLOptions;
  return new Kafka(config);
}

/** For producers whose messages name their partition. A real partitioner would run again at every retry. */
export const givenPartition: ICustomPartitioner =
  () =>
  ({ message }) =>
    message.partition!;

/** Log lines about failures that pass after a retry. They occur in every healthy start and rebalance. */
const PASSING = /^(Response |Crash: |Restarting the consumer|The group is rebalancing|The coordinator is not aware)/;

/** Logs errors of kafkajs as warnings, each now and then, because most of them are retries that pass. */
function rarely(log: Log) {
  const last = new Map<string, number>();
  return ({ namespace, log: { message, error, broker } }: LogEntry) => {
    if (message.startsWith('Limiting retries for the idempotent producer')) return;
    const line = `${namespace} ${message} ${error ?? ''}`;
    const now = Date.now();
    if (now - (last.get(line) ?? 0) < SAME_LINE_MS) return;
    if (last.size > 1_000) last.clear();
    last.set(line, now);
    const fields = { kafka: namespace, broker, err: error };
    if (PASSING.test(message)) log.debug(fields, `kafka: ${message}`);
    else log.warn(fields, `kafka: ${message}`);
  };
}

/** Writes nothing, for callers that report the final error: it contains what kafkajs logs about its retries. */
export const noLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Rejects with an error of kafkajs when no broker answers, or when they refuse this client. Retries nothing. */
export async function assertBrokersAnswer(connection: KafkaConnection): Promise<void> {
  await withAdmin(createClient('landfall-start', connection, noLog, 'none'), (admin) => admin.describeCluster());
}

/** Returns true for an error that passes when the brokers are up. A wrong password does not pass. */
export function areBrokersAway(error: unknown): boolean {
  const { name, retriable } = error as { name?: string; retriable?: boolean };
  // kafkajs gives up on passing errors only, and says that the result does not pass.
  return retriable === true || name === 'KafkaJSNumberOfRetriesExceeded';
}
