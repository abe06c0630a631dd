import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { assertScaledOut, KafkaConfig, kafkaOptions } from './kafka-config.ts';

const read = (env: Record<string, string>) =>
  kafkaOptions(readConfig(KafkaConfig, { KAFKA_BROKERS: 'a:9092', ...env }));
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

describe('kafkaOptions', () => {
  it('has defaults for all but the brokers', () => {
    expect(read({ KAFKA_BROKERS: 'one.example:9092, two.example:9093', INSTANCE_ID: 'one' })).toEqual({
      instance: 'one',
      connection: { brokers: ['one.example:9092', 'two.example:9093'], tls: undefined, sasl: undefined },
      prefix: '',
      topics: { partitions: 3, replication: 1, eventHours: 168, commandHours: 24, deadLetterHours: 2160 },
    });
    expect(read({}).instance).toMatch(new RegExp(`^[\\w.-]+-${process.pid}$`));
  });

  it('reads TLS and SASL', () => {
    const { connection } = read({
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA: PEM,
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'landfall',
      KAFKA_SASL_PASSWORD: 'secret',
    });
    expect(connection).toMatchObject({
      tls: { ca: PEM, cert: undefined, key: undefined },
      sasl: { mechanism: 'scram-sha-512', username: 'landfall', password: 'secret' },
    });
    expect(read({ KAFKA_TLS: 'true' }).connection.tls).toEqual({});
  });

  it.each([
    [{ KAFKA_BROKERS: 'localhost' }, 'KAFKA_BROKERS must be host:port'],
    [{ KAFKA_BROKERS: ' , ' }, 'KAFKA_BROKERS must be host:port'],
    [{ KAFKA_TLS: 'yes' }, 'KAFKA_TLS must be true or false'],
    [{ KAFKA_TLS_CA: PEM }, 'need KAFKA_TLS=true'],
    [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT: PEM }, 'need each other'],
    [{ KAFKA_TLS: 'true', KAFKA_TLS_CA: '/etc/ca.pem' }, 'KAFKA_TLS_CA must be PEM text'],
    [{ KAFKA_SASL_USERNAME: 'landfall' }, 'need each other'],
    [{ KAFKA_SASL_MECHANISM: 'gssapi' }, 'KAFKA_SASL_MECHANISM must be'],
    [{ KAFKA_PREFIX: 'a b' }, 'KAFKA_PREFIX must be'],
    [{ KAFKA_PARTITIONS: '0' }, 'KAFKA_PARTITIONS must be a whole number'],
  ])('refuses %o in a sentence', (env, sentence) => {
    expect(() => read(env as Record<string, string>)).toThrow(sentence);
  });

  it('shows no key of TLS in its sentence', () => {
    expect(() => read({ KAFKA_TLS: 'true', KAFKA_TLS_KEY: 'secret' })).toThrow(
      /^KAFKA_TLS_KEY must be PEM text[^(]*\.$/,
    );
  });
});

it('says what runs without brokers', () => {
  expect(() => assertScaledOut({})).toThrow('npm start');
  expect(() => assertScaledOut({ KAFKA_BROKERS_FILE: '/run/brokers' })).not.toThrow();
});
