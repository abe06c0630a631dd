import { hostname } from 'node:os';
import type { KafkaOptions } from '@landfall/bus';
import { z } from 'zod';
import { integer, readList, StartError } from './config.ts';

const BROKER = /^[^\s:,/]+:\d{1,5}$/;
const MAX_HOURS = 24 * 3650;

const hours = (value: number, what: string) =>
  integer(1, MAX_HOURS)
    .default(value)
    .describe(`Hours that ${what} are kept in their topics. Read when a topic is made.`);
const pem = (what: string) =>
  z
    .string()
    .regex(/^-----BEGIN /, 'must be PEM text, or give its file in the variable that ends with _FILE')
    .optional()
    .describe(`${what}, as PEM.`);

export const KafkaConfig = z.object({
  KAFKA_BROKERS: z
    .string()
    .transform(readList)
    .refine(
      (brokers) => brokers.length > 0 && brokers.every((broker) => BROKER.test(broker)),
      'must be host:port addresses, comma-separated',
    )
    .describe('The services speak over Kafka, tested with 4.3: `host:port` of some of its brokers, comma-separated.'),
  KAFKA_TLS: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((value) => value === 'true')
    .describe('`true` reaches the brokers over TLS.')
    .meta({ fallback: 'false' }),
  KAFKA_TLS_CA: pem('The authority that signed the certificates of the brokers, where it is not a well-known one'),
  KAFKA_TLS_CERT: pem('The certificate of this client, where brokers ask for one'),
  KAFKA_TLS_KEY: pem('Its private key').meta({ secret: true }),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional()
    .describe('How the brokers are told who asks: `plain`, `scram-sha-256`, `scram-sha-512`.'),
  KAFKA_SASL_USERNAME: z.string().optional().describe('Who asks.'),
  KAFKA_SASL_PASSWORD: z.string().optional().describe('Their password.').meta({ secret: true }),
  KAFKA_PREFIX: z
    .string()
    .regex(/^[\w.-]{0,100}$/, 'must be letters, digits, dots, dashes and underscores')
    .default('')
    .describe('In front of every topic and group, for several installations on one cluster.'),
  KAFKA_PARTITIONS: integer(1, 1000)
    .default(3)
    .describe('Partitions of topics that are made: how many processes of a service share its work at the most.'),
  KAFKA_REPLICATION: integer(1, 9)
    .default(1)
    .describe('Copies of topics that are made; 3 where there are three brokers.'),
  KAFKA_EVENT_HOURS: hours(168, 'public events'),
  KAFKA_COMMAND_HOURS: hours(24, 'commands'),
  KAFKA_DEAD_LETTER_HOURS: hours(2160, 'messages that were given up on'),
  INSTANCE_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be letters, digits, dots, dashes and underscores')
    .default(() => `${hostname().slice(0, 80)}-${process.pid}`.replace(/[^\w.-]/g, '-'))
    .describe('Tells this process from the others of its service.')
    .meta({ fallback: 'host name and process id' }),
});
export type KafkaConfig = z.output<typeof KafkaConfig>;

/** Throws {@link StartError} without brokers. Call it first: other missing variables do not matter then. */
export function assertScaledOut(env: Readonly<Record<string, string | undefined>>): void {
  if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) return;
  throw new StartError(
    'KAFKA_BROKERS is not set: give the brokers over which the services speak, or run everything in one process with npm start.',
  );
}

/** Throws {@link StartError} when variables do not fit together. */
export function kafkaOptions(config: KafkaConfig): Pick<KafkaOptions, 'instance' | 'connection' | 'prefix' | 'topics'> {
  return {
    instance: config.INSTANCE_ID,
    connection: { brokers: config.KAFKA_BROKERS, tls: tlsOf(config), sasl: saslOf(config) },
    prefix: config.KAFKA_PREFIX,
    topics: {
      partitions: config.KAFKA_PARTITIONS,
      replication: config.KAFKA_REPLICATION,
      eventHours: config.KAFKA_EVENT_HOURS,
      commandHours: config.KAFKA_COMMAND_HOURS,
      deadLetterHours: config.KAFKA_DEAD_LETTER_HOURS,
    },
  };
}

function tlsOf(config: KafkaConfig): KafkaOptions['connection']['tls'] {
  const { KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key } = config;
  if (!config.KAFKA_TLS) {
    if (ca || cert || key) throw new StartError('KAFKA_TLS_CA, _CERT and _KEY need KAFKA_TLS=true.');
    return undefined;
  }
  if (!cert !== !key) throw new StartError('KAFKA_TLS_CERT and KAFKA_TLS_KEY need each other.');
  return { ca, cert, key };
}

function saslOf(config: KafkaConfig): KafkaOptions['connection']['sasl'] {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  if (!mechanism && !username && !password) return undefined;
  if (!mechanism || !username || !password) {
    throw new StartError('KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD need each other.');
  }
  return { mechanism, username, password };
}
