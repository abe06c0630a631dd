// Kafka and Redis for a test run: from `servers/`.
import type { TestProject } from 'vitest/node';
import { type ServerOfRun, serverOfRun } from './servers/index.ts';

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
  const started: ServerOfRun[] = [];
  const stop = async () => {
    for (const server of started) await server.stop();
  };
  const start = async (kind: 'kafka' | 'redis') => {
    const server = await serverOfRun(kind);
    started.push(server);
    return server;
  };
  try {
    const kafka = await start('kafka');
    project.provide('kafkaBrokers', kafka.address);
    project.provide('noKafka', kafka.missing);
    const redis = await start('redis');
    project.provide('redisUrl', redis.address);
    project.provide('noRedis', redis.missing);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
