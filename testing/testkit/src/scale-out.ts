// Suites that need a broker, a Redis or a program of this machine. Without it they are reported as skipped, and their name says
// what was tried. CI does not get away with that: there they fail.
import { describe, inject, it } from 'vitest';

export function describeWithKafka(name: string, suite: (brokers: readonly string[]) => void): void {
  describeUnless(inject('noKafka'), name, () => suite(inject('kafkaBrokers').split(',')));
}

export function describeWithRedis(name: string, suite: (redisUrl: string) => void): void {
  describeUnless(inject('noRedis'), name, () => suite(inject('redisUrl')));
}

/** For a suite that needs both. */
export function describeScaledOut(name: string, suite: (brokers: readonly string[], redisUrl: string) => void): void {
  describeWithKafka(name, (brokers) => describeWithRedis('with Redis', (redisUrl) => suite(brokers, redisUrl)));
}

/**
 * For a suite that ends and freezes processes of this machine, which no address and no container can stand for. `missing` says
 * what is not installed; undefined when it is.
 */
export function describeWithProgram(missing: string | undefined, name: string, suite: () => void): void {
  describeUnless(missing ?? '', name, suite);
}

function describeUnless(missing: string, name: string, suite: () => void): void {
  if (missing === '') return void describe(name, suite);
  const ci = Boolean(process.env.CI);
  // The suite itself is not even read: it may want the address at once.
  describe(ci ? name : `${name} (${missing})`, () => {
    it('has what it needs', { skip: !ci }, () => {
      throw new Error(missing);
    });
  });
}
