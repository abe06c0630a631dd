// Dead letters in Kafka. A message that a group gives up on is stored unchanged in the group's own topic, with the
// reason. A replay goes to that group only. A dropped letter stays in the topic, and a mark behind it names it.
import { cutText } from '@landfall/contracts';
import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { isWaiting, type OperatorsDeadLetterBox, type StoredLetter } from '../dead-letter.ts';
import type { Log } from '../observer.ts';
import { keepAdmin } from './admin.ts';
import { createClient, givenPartition } from './client.ts';
import type { KafkaConnection } from './options.ts';
import { readTopic } from './read-topics.ts';
import type { Outgoing } from './sending/sender.ts';
import { names as createNames, type Names } from './topics/names.ts';
import { jsonOf, type Place, REPLY_HEADERS, readHeaders, textOf } from './wire.ts';

const REASON = 'lf_dead_reason';
const TOPIC = 'lf_dead_topic';
const PARTITION = 'lf_dead_partition';
const OFFSET = 'lf_dead_offset';
const ATTEMPTS = 'lf_dead_attempts';
const AT = 'lf_dead_at';
const REPLAYED = 'lf_replayed';
/** The only header of a mark in the topic of dead letters: the place of the letter that was dropped. */
const DROPPED = 'lf_dropped';

export type DeadReason = Pick<StoredLetter, 'reason' | 'attempts' | 'at'>;

/** Key, value and headers stay as they were. */
export function deadRecord(names: Names, group: string, place: Place, partition: number, why: DeadReason): Outgoing {
  const { topic, raw } = place;
  return {
    topic: names.dead(group),
    partition,
    key: raw.key === null ? null : raw.key.toString(),
    value: raw.value,
    headers: {
      ...raw.headers,
      // A message that was replayed and failed again keeps its first topic, partition and offset.
      [TOPIC]: textOf(raw.headers?.[TOPIC]) ?? topic,
      [PARTITION]: textOf(raw.headers?.[PARTITION]) ?? `${place.partition}`,
      [OFFSET]: textOf(raw.headers?.[OFFSET]) ?? raw.offset,
      [REASON]: cutText(why.reason, 1_000),
      [ATTEMPTS]: `${why.attempts}`,
      [AT]: why.at.toISOString(),
    },
  };
}

/** Sends no request to the brokers before the first call. */
export function openDeadLetters(connection: KafkaConnection, log: Log, prefix = ''): OperatorsDeadLetterBox {
  const names = createNames(prefix);
  const kafka = createClient('landfall-dlq', connection, log);
  const admin = keepAdmin(kafka);
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: givenPartition,
  });
  let connecting: Promise<void> | undefined;
  async function send(topic: string, messages: Message[]): Promise<void> {
    connecting ??= producer.connect();
    await connecting;
    await producer.send({ topic, acks: -1, messages });
  }

  async function readAll(topic: string): Promise<Place[]> {
    const found: Place[] = [];
    const take = (places: readonly Place[]) => void found.push(...places);
    await admin.use((admin) => readTopic({ kafka, admin, names }, topic, take));
    return found.sort((a, b) => Number(a.raw.timestamp) - Number(b.raw.timestamp));
  }

  async function read(group: string): Promise<{ place: Place; letter: StoredLetter }[]> {
    const [records, retried] = [await readAll(names.dead(group)), await readAll(names.retry(group))];
    const dropped = new Set(records.map(({ raw }) => textOf(raw.headers?.[DROPPED])));
    const dead = records.filter(({ raw }) => raw.headers?.[DROPPED] === undefined);
    const replayed = new Set(retried.map(({ raw }) => textOf(raw.headers?.[REPLAYED])));
    // A letter that was replayed and failed again stands for the earlier one, which its message names.
    const failedAgain = new Set(dead.map(({ raw }) => textOf(raw.headers?.[REPLAYED])));
    return dead
      .map((place) => ({ place, letter: letterOf(group, place, replayed, dropped) }))
      .filter(({ letter }) => !failedAgain.has(letter.place));
  }

  return {
    groups: async () => names.groupsWithDead(await admin.use((admin) => admin.listTopics())).sort(),
    list: async (group) => (await read(group)).map(({ letter }) => letter),
    async replay(group, places) {
      const all = await read(group);
      const chosen = all.filter(({ letter }) => (places ? places.includes(letter.place) : isWaiting(letter)));
      for (const { place, letter } of chosen) {
        const headers = withoutReply(place.raw);
        headers[REPLAYED] = letter.place;
        // The same partition as before keeps messages with the same key in order.
        const { partition, raw } = place;
        await send(names.retry(group), [{ key: raw.key, value: raw.value, headers, partition }]);
      }
      return { replayed: chosen.length, running: 0 };
    },
    async drop(group, places) {
      const all = await read(group);
      const chosen = all.filter(({ letter }) =>
        places ? places.includes(letter.place) && !letter.dropped : isWaiting(letter),
      );
      const messages = chosen.map(({ place: { partition }, letter }) => ({
        // The same partition keeps the mark behind its letter, so the broker deletes the letter first.
        partition,
        value: null,
        headers: { [DROPPED]: letter.place },
      }));
      if (messages.length > 0) await send(names.dead(group), messages);
      return chosen.map(({ letter }) => ({ ...letter, dropped: true }));
    },
    async close() {
      await connecting?.catch(() => {});
      await Promise.all([admin.close(), connecting && producer.disconnect()]);
    },
  };
}

function withoutReply({ headers = {} }: KafkaMessage): IHeaders {
  const left = { ...headers };
  for (const name of [...REPLY_HEADERS, REASON, ATTEMPTS, AT]) delete left[name];
  return left;
}

type Places = ReadonlySet<string | undefined>;

function letterOf(group: string, { partition, raw }: Place, replayed: Places, dropped: Places): StoredLetter {
  const { name = '', id = '' } = readHeaders(raw.headers);
  const place = `${partition}:${raw.offset}`;
  const added = (header: string) => textOf(raw.headers?.[header]) ?? '';
  return {
    place,
    group,
    message: name,
    messageId: id,
    key: raw.key?.toString() ?? '',
    data: jsonOf(raw) ?? raw.value?.toString() ?? null,
    reason: added(REASON),
    attempts: Number(added(ATTEMPTS)),
    at: new Date(added(AT)),
    topic: added(TOPIC),
    partition: Number(added(PARTITION)),
    offset: added(OFFSET),
    headers: Object.fromEntries(Object.entries(raw.headers ?? {}).map(([header, one]) => [header, textOf(one) ?? ''])),
    replayed: replayed.has(place),
    dropped: dropped.has(place),
  };
}
