// The topics: made at start when they are missing, checked when they are there, never changed.
import type { Admin, ITopicConfig, Kafka } from 'kafkajs';
import type { Log } from '../log.ts';
import { type Names, REPLY_PARTITIONS } from './names.ts';
import type { TopicSettings } from './options.ts';

/** What kind of messages a topic holds decides for how long. */
export type TopicKind = 'commands' | 'queries' | 'events' | 'replies' | 'dead' | 'retry';

/** How many partitions each topic has. */
export type Partitions = ReadonlyMap<string, number>;

const HOUR_MS = 3_600_000;
/** What nobody reads after its deadline. Segments must be short, too, or nothing is ever deleted. */
const SHORT_MS = 10 * 60_000;
const READY_WITHIN_MS = 20_000;

function configOf(topic: string, kind: TopicKind, settings: TopicSettings): ITopicConfig {
  const { partitions, replication, eventHours, commandHours, deadLetterHours } = settings;
  const keptMs = {
    commands: commandHours * HOUR_MS,
    retry: commandHours * HOUR_MS,
    events: eventHours * HOUR_MS,
    dead: deadLetterHours * HOUR_MS,
    queries: SHORT_MS,
    replies: SHORT_MS,
  }[kind];
  const short = keptMs === SHORT_MS;
  return {
    topic,
    numPartitions: kind === 'replies' ? REPLY_PARTITIONS : partitions,
    replicationFactor: replication,
    configEntries: [
      { name: 'cleanup.policy', value: 'delete' },
      { name: 'retention.ms', value: `${keptMs}` },
      { name: 'min.insync.replicas', value: `${!short && replication > 2 ? 2 : 1}` },
      ...(short ? [{ name: 'segment.ms', value: `${SHORT_MS}` }] : []),
    ],
  };
}

/**
 * Makes the topics that are missing. Rejects with a sentence when the brokers cannot be used, or a topic that exists has
 * fewer partitions than messages need.
 */
export async function ensureTopics(
  kafka: Kafka,
  wanted: ReadonlyMap<string, TopicKind>,
  settings: TopicSettings,
  names: Names,
  log: Log,
): Promise<Partitions> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = [...wanted].filter(([topic]) => !existing.has(topic));
    if (missing.length > 0) await create(admin, missing, settings, log);
    const partitions = await untilLed(admin, [...wanted.keys()]);
    check(partitions, settings, names, log);
    return partitions;
  } finally {
    await admin.disconnect();
  }
}

async function create(admin: Admin, missing: [string, TopicKind][], settings: TopicSettings, log: Log) {
  try {
    // False: somebody else made them at the same moment.
    await admin.createTopics({
      waitForLeaders: false,
      topics: missing.map(([topic, kind]) => configOf(topic, kind, settings)),
    });
  } catch (error) {
    const { errors = [], message } = error as Error & { errors?: { type?: string; topic?: string; message: string }[] };
    const real = errors.filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
    if (errors.length > 0 && real.length === 0) return;
    throw new Error(`Kafka did not make the topic ${real[0]?.topic ?? missing[0]![0]}: ${real[0]?.message ?? message}`);
  }
  log.info({ topics: missing.map(([topic]) => topic) }, 'kafka: topics made');
}

/**
 * A topic that was made a moment ago has no leader yet, and the broker that is to lead it does not know for a moment more.
 * A consumer that begins then joins its group again and again, and misses what is told meanwhile.
 */
async function untilLed(admin: Admin, topics: string[]): Promise<Map<string, number>> {
  const end = Date.now() + READY_WITHIN_MS;
  for (;;) {
    let reason = 'it has no leader';
    try {
      const { topics: described } = await admin.fetchTopicMetadata({ topics });
      if (described.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0))) {
        await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
        return new Map(described.map(({ name, partitions }) => [name, partitions.length]));
      }
    } catch (error) {
      reason = (error as Error).message;
    }
    if (Date.now() > end)
      throw new Error(`Kafka's topics were not ready within ${READY_WITHIN_MS / 1000} s: ${reason}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function check(partitions: Partitions, settings: TopicSettings, names: Names, log: Log): void {
  const replies = partitions.get(names.replies)!;
  if (replies < REPLY_PARTITIONS)
    throw new Error(`The topic ${names.replies} has ${replies} partitions and needs ${REPLY_PARTITIONS}.`);
  const different = [...partitions].filter(
    ([topic, count]) => topic !== names.replies && count !== settings.partitions,
  );
  if (different.length === 0) return;
  log.warn(
    { wanted: settings.partitions, found: Object.fromEntries(different) },
    'kafka: topics have another number of partitions than KAFKA_PARTITIONS says; they are used as they are',
  );
}
