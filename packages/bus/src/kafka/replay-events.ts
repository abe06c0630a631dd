// Hands the events of topics to listeners again, all that the brokers keep. The offsets of groups do not change.
import type { EventDef } from '@landfall/contracts';
import type { Kafka } from 'kafkajs';
import { contextOf, neverExpired } from '../context.ts';
import type { Listener, Message } from '../port.ts';
import { readTopic } from './read-topic.ts';
import type { Place } from './receiving/receivers.ts';
import { names as createNames } from './topics/names.ts';
import { jsonOf, readHeaders } from './wire.ts';

export interface Replayed {
  event: EventDef;
  listener: Listener<EventDef>;
}

/** How many events were handed over, and how many records of the topics are no such event. */
export interface ReplayedCount {
  events: number;
  skipped: number;
}

/**
 * Reads the topics one after the other, from their beginning to their end at the time of the call. Rejects when a
 * listener rejects, or the brokers do not answer. A topic that does not exist is empty.
 * @param kafka a client that nothing else uses
 */
export async function replayEvents(kafka: Kafka, replayed: readonly Replayed[], prefix = ''): Promise<ReplayedCount> {
  const names = createNames(prefix);
  const admin = kafka.admin();
  const count = { events: 0, skipped: 0 };
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    for (const { event, listener } of replayed) {
      const topic = names.topic(event.topic);
      if (!existing.has(topic)) continue;
      await readTopic({ kafka, admin, names }, topic, async (places) => {
        const messages = places.flatMap((place) => messageOf(event, place));
        count.events += messages.length;
        count.skipped += places.length - messages.length;
        if (messages.length > 0) await listener(messages);
      });
    }
    return count;
  } finally {
    await admin.disconnect();
  }
}

function messageOf(event: EventDef, { raw }: Place): Message<object>[] {
  const { name, id, time } = readHeaders(raw.headers);
  const data = event.data.safeParse(jsonOf(raw));
  if (name !== event.name || id === undefined || Number.isNaN(time) || !data.success) return [];
  return [{ data: data.data, context: contextOf(id, time, neverExpired) }];
}
