// Kafka and Redis for a test run: the addresses that TEST_KAFKA_BROKERS and TEST_REDIS_URL name, else what this machine has.
import { kafkaAvailable, redisInstalled, startKafka, startRedis } from '@landfall/local';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** `host:port` of brokers, comma-separated; empty when there is none, and `noKafka` says why. */
    kafkaBrokers: string;
    noKafka: string;
    /** Empty when there is none, and `noRedis` says why. */
    redisUrl: string;
    noRedis: string;
  }
}

export default async function setup(project: TestProject) {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopOne of stops) await stopOne();
  };

  async function kafka(): Promise<string> {
    const given = process.env.TEST_KAFKA_BROKERS;
    if (given || kafkaAvailable()) return given ?? '';
    const started = await startKafka();
    stops.push(started.stop);
    return started.brokers.join();
  }

  async function redis(): Promise<string> {
    const given = process.env.TEST_REDIS_URL;
    if (given || !redisInstalled()) return given ?? '';
    const started = await startRedis();
    stops.push(started.stop);
    return started.url;
  }

  try {
    project.provide('kafkaBrokers', await kafka());
    project.provide('noKafka', kafkaAvailable() ?? '');
    project.provide('redisUrl', await redis());
    project.provide('noRedis', 'There is no redis-server: install it, e.g. apt-get install redis-server.');
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
