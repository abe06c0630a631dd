import { expect, it } from 'vitest';
import { accountConfig } from './config.ts';

const env = { KAFKA_BROKERS: 'kafka:9092', DATABASE_URL: 'postgresql://db/landfall' };

it('takes the token of the owner, in its form only', () => {
  const OWNER_TOKEN = 'lf_0123456789abcdef0123456789abcdef';
  expect(accountConfig({ ...env, OWNER_TOKEN })).toMatchObject({ OWNER_TOKEN, METRICS_PORT: 9464, LOG_LEVEL: 'info' });
  expect(accountConfig(env).OWNER_TOKEN).toBeUndefined();
  // What is wrong with it is said, and not what it is.
  expect(() => accountConfig({ ...env, OWNER_TOKEN: 'swordfish' })).toThrow(
    'OWNER_TOKEN must be lf_ and 32 hexadecimal digits.',
  );
});

it('says what every worker needs', () => {
  expect(() => accountConfig({ DATABASE_URL: env.DATABASE_URL })).toThrow('npm start');
  expect(() => accountConfig({ KAFKA_BROKERS: env.KAFKA_BROKERS })).toThrow('DATABASE_URL is not set.');
});
