import { expect, it } from 'vitest';
import { scaledOutConfig } from './scaled-out-config.ts';

const HASH_SECRET = 'a secret of thirty-two characters';
const SEAL_SECRET = 'another of thirty-two characters';
const KAFKA_BROKERS = 'kafka:9092';

it('reads what a gateway and what Kafka needs', () => {
  expect(scaledOutConfig({ KAFKA_BROKERS, HASH_SECRET, SEAL_SECRET, PORT: '9000', LOG_LEVEL: 'debug' })).toMatchObject({
    KAFKA_BROKERS: ['kafka:9092'],
    LOG_LEVEL: 'debug',
    gateway: { PORT: 9000, HASH_SECRET, SEAL_SECRET },
  });
});

it('does not start without brokers, or without shared secrets', () => {
  expect(() => scaledOutConfig({ HASH_SECRET })).toThrow(/^KAFKA_BROKERS is not set: .*npm start\.$/);
  expect(() => scaledOutConfig({ KAFKA_BROKERS })).toThrow(
    /^HASH_SECRET is not set: give all gateways and consoles the same one/,
  );
  expect(() => scaledOutConfig({ KAFKA_BROKERS, HASH_SECRET })).toThrow(
    /^SEAL_SECRET is not set: give all gateways and/,
  );
});
