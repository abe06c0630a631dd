// Runs the tests that every adapter must pass against the Kafka adapter, on a real broker.
import { randomUUID } from 'node:crypto';
import type { DeadLetter } from '@landfall/contracts';
import { describeWithKafka } from '@landfall/testkit/scale-out';
import { inject } from 'vitest';
import { clusterOptions } from '../conformance/cluster.ts';
import { conformance, type Features, type MakeAdapter } from '../conformance/conformance.ts';
import { createKafkaBus, openDeadLetters, openSettling } from './index.ts';
import type { KafkaBus } from './options.ts';

const features: Features = {
  waitsForListeners: 'ask and tell resolve when the message is durable',
  gathersAll: 'a fetch may come between',
  dropsStaleQueries: 'clocks may differ by two seconds',
  severalMembers: true,
  survivesRestart: true,
  nobodyAnswers: 'NoAnswer',
  mostAsks: 200,
  mostTold: 'events wait in the log',
};

const make: MakeAdapter = async ({ log, isTransient, topics, attempts }) => {
  const prefix = `${randomUUID().slice(0, 8)}.`;
  const connection = { brokers: inject('kafkaBrokers').split(',') };
  const members: KafkaBus[] = [];
  const member = (): KafkaBus => {
    const bus = createKafkaBus({
      service: 'conformance',
      instance: randomUUID(),
      connection,
      prefix,
      topics: { partitions: 3, replication: 1, eventHours: 1, commandHours: 1, deadLetterHours: 1 },
      otherTopics: topics,
      log,
      isTransient,
      attempts,
      commitMs: 20,
      onFatal(error) {
        throw error;
      },
    });
    members.push(bus);
    return bus;
  };
  const quiet = clusterOptions().log;
  const letters = openDeadLetters(connection, quiet, prefix);
  const settling = openSettling(connection, quiet, prefix);
  return {
    bus: member(),
    another: async () => member(),
    settled: () => settling.settled(),
    async deadLetters() {
      const found: DeadLetter[] = [];
      for (const group of await letters.groups())
        for (const { place: id, message, key, data, reason, attempts, messageId, at } of await letters.list(group))
          found.push({ id, group, message, key, data: data as object, reason, attempts, messageId, at });
      return found;
    },
    async close() {
      await Promise.all(members.map((bus) => bus.stop()));
      await letters.close();
      await settling.close();
    },
  };
};

describeWithKafka('on a broker', () => conformance('the Kafka bus', features, make));
