// The connection to the brokers: one client for each process, with every setting stated.
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import type { Log } from '../log.ts';
import type { KafkaConnection } from './options.ts';

/** The same line of the library is logged once in this time; an outage would say it thousands of times. */
const SAME_LINE_MS = 10_000;

export function createClient(clientId: string, connection: KafkaConnection, log: Log): Kafka {
  const { brokers, tls, sasl } = connection;
  const config: KafkaConfig = {
    clientId,
    brokers: [...brokers],
    connectionTimeout: 2_000,
    authenticationTimeout: 5_000,
    requestTimeout: 5_000,
    // A failed request ends within a few seconds; what is to be tried for longer is tried again by us, who know until when.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 1.5 },
    logLevel: logLevel.WARN,
    logCreator: () => rarely(log),
  };
  if (tls) config.ssl = { ...tls, ...(tls.ca && { ca: [tls.ca] }) };
  if (sasl) config.sasl = sasl as SASLOptions;
  return new Kafka(config);
}

/** What the library calls an error is mostly a retry that passes: it is a warning here, and each only now and then. */
function rarely(log: Log) {
  const last = new Map<string, number>();
  return ({
    namespace,
    log: { message, error, broker },
  }: Parameters<ReturnType<NonNullable<KafkaConfig['logCreator']>>>[0]) => {
    if (message.startsWith('Limiting retries for the idempotent producer')) return;
    const line = `${namespace} ${message} ${error ?? ''}`;
    const now = Date.now();
    if (now - (last.get(line) ?? 0) < SAME_LINE_MS) return;
    if (last.size > 1_000) last.clear();
    last.set(line, now);
    log.warn({ kafka: namespace, broker, err: error }, `kafka: ${message}`);
  };
}
