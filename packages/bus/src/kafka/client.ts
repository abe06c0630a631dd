// The connection to the brokers: one client for each process, with every setting stated.
import { Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs';
import type { Log } from '../log.ts';
import type { KafkaConnection } from './options.ts';

/** The same line of the library is logged once in this time; an outage would say it thousands of times. */
const SAME_LINE_MS = 10_000;

const RETRIES = { none: 0, some: 5, endless: Number.MAX_SAFE_INTEGER };

/**
 * @param patience how often a failed request is tried again. `some`: it ends within a few seconds, for those who try again by
 * themselves and know until when. `none`: it is tried once, and shortly, for those who only want to know. `endless`: for consumers, which give up their membership when a request ends, and get it back
 * only when the broker has forgotten them.
 */
export function createClient(
  clientId: string,
  connection: KafkaConnection,
  log: Log,
  patience: 'none' | 'some' | 'endless' = 'some',
): Kafka {
  const { brokers, tls, sasl } = connection;
  let turn = 0;
  const config: KafkaConfig = {
    clientId,
    // Each client begins with another broker: kafkajs stays with a broker that takes connections and answers nothing.
    brokers: async () => {
      const first = turn++ % brokers.length;
      return [...brokers.slice(first), ...brokers.slice(0, first)];
    },
    connectionTimeout: patience === 'none' ? 1_000 : 2_000,
    authenticationTimeout: 5_000,
    // Longer than a broker may need for anything but a rebalance, which has a time of its own; a frozen one costs so much.
    requestTimeout: patience === 'none' ? 1_500 : 4_000,
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

/** Said of what is tried again and passes, in every healthy start and rebalance. */
const PASSING = /^(Response |Crash: |Restarting the consumer|The group is rebalancing|The coordinator is not aware)/;

/** Most errors of the library are retries that pass. They are warnings here, and each is logged only now and then. */
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
