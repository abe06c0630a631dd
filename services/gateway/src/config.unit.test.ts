import { randomBytes } from 'node:crypto';
import { specLimits } from '@landfall/http';
import { StartError } from '@landfall/runtime';
import { describe, expect, it } from 'vitest';
import { gatewayConfig, scaledOutConfig } from './config.ts';

const HASH_SECRET = 'a secret of thirty-two characters';
const SEAL_SECRET = 'another of thirty-two characters';
const KAFKA_BROKERS = 'kafka:9092';
const random = { HASH_SECRET: randomBytes(32).toString('hex'), SEAL_SECRET: randomBytes(24).toString('base64') };

describe('gatewayConfig', () => {
  it('derives addresses from the port', () => {
    expect(gatewayConfig({ HASH_SECRET, SEAL_SECRET, PORT: '9000' })).toMatchObject({
      PORT: 9000,
      PUBLIC_URL: 'http://localhost:9000',
      LINK_DOMAIN: 'localhost:9000',
      TRUST_PROXY: ['loopback'],
      SDK_KEY_HEADERS: ['x-openlynk-sdk-key'],
      RATE_LIMITS: specLimits,
      REDIS_URL: undefined,
    });
  });

  it('reads lists, hops and limits', () => {
    const config = gatewayConfig({
      ...random,
      TRUST_PROXY: '2',
      SDK_KEY_HEADERS: 'X-One, x-two',
      RATE_LIMITS: 'create-link=100, restore=5',
      PUBLIC_URL: 'https://api.example/',
      REDIS_URL: 'rediss://user:secret@redis.example:6380/2',
    });
    expect(config.TRUST_PROXY).toBe(2);
    expect(config.SDK_KEY_HEADERS).toEqual(['x-one', 'x-two']);
    expect(config.RATE_LIMITS).toEqual({ ...specLimits, 'create-link': 100, restore: 5 });
    expect(config.PUBLIC_URL).toBe('https://api.example');
    expect(config.REDIS_URL).toBe('rediss://user:secret@redis.example:6380/2');
  });

  it.each([
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: 'abc' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'create=1' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'create-link=0' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'everybody' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://x' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://x/api' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://x?' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://user@x' }],
    ['LINK_DOMAIN', { LINK_DOMAIN: 'https://x' }],
    ['HASH_SECRET', { HASH_SECRET: 'short' }],
    ['SEAL_SECRET', { SEAL_SECRET: 'short' }],
    ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    ['METRICS_PORT', { METRICS_PORT: '8080' }],
  ])('names %s when it is wrong: %o', (name, env) => {
    const read = () => gatewayConfig({ HASH_SECRET, SEAL_SECRET, ...env });
    expect(read).toThrow(StartError);
    expect(read).toThrow(new RegExp(`^${name} `));
  });

  it('does not print a secret', () => {
    expect(() => gatewayConfig({ HASH_SECRET: 'short' })).not.toThrow(/"short"/);
    expect(() => gatewayConfig({ HASH_SECRET, REDIS_URL: 'http://:hidden@redis' })).not.toThrow(/hidden/);
  });

  it.each([
    ['HASH_SECRET', { HASH_SECRET }],
    ['HASH_SECRET', { HASH_SECRET: '0'.repeat(64) }],
    ['HASH_SECRET', { HASH_SECRET: 'changeme-0123456789abcdefghijklmnop' }],
    ['SEAL_SECRET', { SEAL_SECRET }],
    ['SEAL_SECRET', { SEAL_SECRET: '1234567'.repeat(6) }],
    ['SEAL_SECRET', { SEAL_SECRET: random.HASH_SECRET }],
  ])('refuses to start a public instance with a %s that somebody else may know: %o', (name, env) => {
    const started = (PUBLIC_URL: string) => () => gatewayConfig({ ...random, ...env, PUBLIC_URL });
    expect(started('https://api.example')).toThrow(StartError);
    expect(started('https://api.example')).toThrow(new RegExp(`^${name} is .*PUBLIC_URL is public`));
    expect(started('http://localhost:8080')).not.toThrow();
  });

  it('needs a secret', () => {
    expect(() => gatewayConfig({})).toThrow('HASH_SECRET is not set.');
    expect(() => gatewayConfig({ HASH_SECRET })).toThrow('SEAL_SECRET is not set.');
  });
});

it('a gateway in its own process reads what Kafka needs, too', () => {
  expect(scaledOutConfig({ KAFKA_BROKERS, HASH_SECRET, SEAL_SECRET, PORT: '9000', LOG_LEVEL: 'debug' })).toMatchObject({
    KAFKA_BROKERS: ['kafka:9092'],
    LOG_LEVEL: 'debug',
    gateway: { PORT: 9000, HASH_SECRET, SEAL_SECRET },
  });
});

it('a gateway in its own process does not start without brokers, or without shared secrets', () => {
  expect(() => scaledOutConfig({ HASH_SECRET })).toThrow(/^KAFKA_BROKERS is not set: .*npm start\.$/);
  expect(() => scaledOutConfig({ KAFKA_BROKERS })).toThrow(
    /^HASH_SECRET is not set: give all gateways and consoles the same one/,
  );
  expect(() => scaledOutConfig({ KAFKA_BROKERS, HASH_SECRET })).toThrow(
    /^SEAL_SECRET is not set: give all gateways and/,
  );
});
