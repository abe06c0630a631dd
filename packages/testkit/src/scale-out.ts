// Suites that need a broker or a Redis, from scale-out-setup.ts. Without one they are reported as skipped, and their name says
// what is missing.
import { describe, inject } from 'vitest';

export function describeWithKafka(name: string, suite: (brokers: readonly string[]) => void): void {
  const brokers = inject('kafkaBrokers');
  describe.skipIf(brokers === '')(named(name, brokers, inject('noKafka')), () => suite(brokers.split(',')));
}

export function describeWithRedis(name: string, suite: (redisUrl: string) => void): void {
  const url = inject('redisUrl');
  describe.skipIf(url === '')(named(name, url, inject('noRedis')), () => suite(url));
}

/** For a suite that needs both. */
export function describeScaledOut(name: string, suite: (brokers: readonly string[], redisUrl: string) => void): void {
  describeWithKafka(name, (brokers) => describeWithRedis('with Redis', (redisUrl) => suite(brokers, redisUrl)));
}

const named = (name: string, found: string, why: string) => (found === '' ? `${name} (${why})` : name);
