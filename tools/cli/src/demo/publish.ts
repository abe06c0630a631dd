// Publishes made-up events: over Kafka to everybody who reads the topics, in one process to analytics.
import { randomUUID } from 'node:crypto';
import { type Message, uuid5 } from '@landfall/bus';
import { createKafkaBus } from '@landfall/bus/kafka';
import type { DemoEvent } from '@landfall/demo-data';
import { KafkaConfig, kafkaOptions, readConfig } from '@landfall/runtime';
import { quiet } from '../quiet.ts';
import type { DemoRepository } from './demo-repository.ts';

/** Events that are on their way at the same time. */
const AT_ONCE = 1_000;

export type Publish = (events: readonly DemoEvent[]) => Promise<void>;

/** Publishes over Kafka while `run` runs. */
export async function overKafka(env: NodeJS.ProcessEnv, run: (publish: Publish) => Promise<void>): Promise<void> {
  const bus = createKafkaBus({
    service: 'demo',
    ...kafkaOptions(readConfig(KafkaConfig, env)),
    instance: `demo-${randomUUID()}`,
    log: quiet,
    onFatal(error) {
      throw error;
    },
  });
  await bus.start();
  try {
    await run(async (events) => {
      await Promise.all(events.map(({ event, id, now, data }) => bus.tell(event, data as never, { id, now })));
    });
  } finally {
    await bus.stop();
  }
}

/** Hands the events to the listeners of analytics. In one process nothing else reads them. */
export const toAnalytics =
  ({ listeners }: DemoRepository): Publish =>
  async (events) => {
    for (const [name, same] of Map.groupBy(events, ({ event }) => event.name))
      await listeners.get(name)?.(same.map(messageOf));
  };

export function messageOf({ id, now, data }: DemoEvent): Message<never> {
  const context = { id, now, idFor: (name: string) => uuid5(id, name), expired: () => false };
  return { data, context } as unknown as Message<never>;
}

/** Returns the events in parts. */
export function* parts(events: Iterable<DemoEvent>): Generator<DemoEvent[]> {
  let part: DemoEvent[] = [];
  for (const event of events) {
    part.push(event);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
