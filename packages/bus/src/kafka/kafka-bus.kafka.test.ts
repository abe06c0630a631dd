// Runs the tests that every adapter must pass against the Kafka adapter, on a real broker.
import type { DeadLetter } from '@landfall/contracts';
import { describeWithKafka } from '@landfall/testkit/scale-out';
import { afterEach, expect, test } from 'vitest';
import { conformance, type Features, type MakeAdapter } from '../conformance/conformance.ts';
import { Add, freshPrefix, member as memberOf, quiet } from './cluster.testing.ts';
import { openDeadLetters } from './index.ts';
import type { KafkaBus } from './options.ts';
import { openSettling } from './settled.testing.ts';
import { asAdmin, brokers, started, stopAll } from './started.testing.ts';

afterEach(stopAll);

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

const make: MakeAdapter = async ({ log, isTransient, topics }) => {
  const prefix = freshPrefix();
  const members: KafkaBus[] = [];
  const member = (): KafkaBus => {
    const bus = memberOf(brokers, prefix, { otherTopics: topics, log, isTransient });
    members.push(bus);
    return bus;
  };
  const letters = openDeadLetters({ brokers }, quiet, prefix);
  const settling = openSettling({ brokers }, quiet, prefix);
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

describeWithKafka('on a broker', () => {
  conformance('the Kafka bus', features, make);

  test('commands without a key that are sent together share a partition, and the next ones have another', async () => {
    const Keyless = { ...Add, key: () => null };
    const prefix = freshPrefix();
    const bus = memberOf(brokers, prefix);
    bus.answer(Keyless, async (batch) => batch.map(({ data: { n } }) => ({ reply: { n, by: '' } })));
    await started(bus);
    const together = () => Promise.all(Array.from({ length: 12 }, (_, n) => bus.ask(Keyless, { n })));
    const topic = `${prefix}${Add.topic}`;
    const counts = () =>
      asAdmin(async (admin) => (await admin.fetchTopicOffsets(topic)).map(({ high }) => Number(high)).sort());
    await together();
    expect(await counts()).toEqual([0, 0, 12]);
    await together();
    expect(await counts()).toEqual([0, 12, 12]);
  });
});
