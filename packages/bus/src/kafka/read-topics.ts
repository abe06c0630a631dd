// Reads topics once, from their beginning to their end at the time of the call, and stores no offsets.
import { randomUUID } from 'node:crypto';
import type { EventDef } from '@landfall/contracts';
import type { Admin, Kafka } from 'kafkajs';
import { contextOf, neverExpired } from '../context.ts';
import type { Listener, Message } from '../port.ts';
import { withAdmin } from './admin.ts';
import { createClient, noLog } from './client.ts';
import type { KafkaConnection } from './options.ts';
import { names as createNames, type Names } from './topics/names.ts';
import { jsonOf, type Place, readHeaders } from './wire.ts';

/** Hands over all records, partition by partition. Rejects when `take` rejects. `admin` is connected. */
export async function readTopic(
  { kafka, admin, names }: { kafka: Kafka; admin: Admin; names: Names },
  topic: string,
  take: (places: readonly Place[]) => void | Promise<void>,
): Promise<void> {
  const ends = (await admin.fetchTopicOffsets(topic)).filter(({ low, high }) => BigInt(high) > BigInt(low));
  const left = new Map(ends.map(({ partition, high }) => [partition, BigInt(high)]));
  if (left.size === 0) return;
  const consumer = kafka.consumer({
    groupId: names.live(randomUUID()),
    maxWaitTimeInMs: 200,
    allowAutoTopicCreation: false,
  });
  const done = Promise.withResolvers<void>();
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch: { partition, messages }, heartbeat }) => {
        const end = left.get(partition);
        if (end === undefined) return;
        const wanted = messages.filter((raw) => BigInt(raw.offset) < end);
        try {
          await take(wanted.map((raw) => ({ topic, partition, raw })));
        } catch (error) {
          done.reject(error);
          return;
        }
        await heartbeat();
        if (BigInt(messages.at(-1)?.offset ?? -1) + 1n >= end) left.delete(partition);
        if (left.size === 0) done.resolve();
      },
    });
    await done.promise;
  } finally {
    await consumer.disconnect();
  }
}

export interface Replayed {
  event: EventDef;
  listener: Listener<EventDef>;
}

/** Hands over all kept events, topic by topic. A missing topic is empty. `skipped` records are no such event. */
export function replayEvents(
  connection: KafkaConnection,
  replayed: readonly Replayed[],
  prefix = '',
): Promise<{ events: number; skipped: number }> {
  const names = createNames(prefix);
  const kafka = createClient('landfall-replay', connection, noLog);
  const count = { events: 0, skipped: 0 };
  return withAdmin(kafka, async (admin) => {
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
  });
}

function messageOf(event: EventDef, { raw }: Place): Message<object>[] {
  const { name, id, time } = readHeaders(raw.headers);
  const data = event.data.safeParse(jsonOf(raw));
  if (name !== event.name || id === undefined || Number.isNaN(time) || !data.success) return [];
  return [{ data: data.data, context: contextOf(id, time, neverExpired) }];
}
