// The topics: created at start when they are missing, compared when they exist, never changed.
import type { Admin, ITopicConfig, ITopicMetadata, Kafka } from 'kafkajs';
import type { Log } from '../../observer.ts';
import { withAdmin } from '../admin.ts';
import type { TopicSettings } from '../options.ts';
import { differences } from './compare-topics.ts';
import { type Names, REPLY_PARTITIONS } from './names.ts';
import { shapeOf, type TopicKind, type WantedTopics } from './wanted-topics.ts';

/** The number of partitions of each topic. */
export type Partitions = ReadonlyMap<string, number>;

const READY_WITHIN_MS = 20_000;

/** Rejects when the brokers cannot be used, or the topic of replies has too few partitions. Logs other differences. */
export const ensureTopics = (
  kafka: Kafka,
  wanted: WantedTopics,
  settings: TopicSettings,
  names: Names,
  log: Log,
): Promise<Partitions> =>
  withAdmin(kafka, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = [...wanted].filter(([topic]) => !existing.has(topic));
    if (missing.length > 0) await create(admin, missing, settings, log);
    const topics = await untilLed(admin, [...wanted.keys()]);
    const partitions = new Map(topics.map((topic) => [topic.name, topic.partitions.length]));
    const replies = partitions.get(names.replies)!;
    if (replies < REPLY_PARTITIONS)
      throw new Error(`The topic ${names.replies} has ${replies} partitions and needs ${REPLY_PARTITIONS}.`);
    const old = topics.filter(({ name }) => existing.has(name));
    await compare(admin, old, wanted, settings, log);
    return partitions;
  });

async function create(admin: Admin, missing: [string, TopicKind][], settings: TopicSettings, log: Log) {
  try {
    // The result is false when another process creates the topics at the same moment.
    await admin.createTopics({
      waitForLeaders: false,
      topics: missing.map(([topic, kind]) => configOf(topic, kind, settings)),
    });
  } catch (error) {
    const { errors = [], message } = error as Error & { errors?: { type?: string; topic?: string; message: string }[] };
    const real = errors.filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
    if (errors.length > 0 && real.length === 0) return;
    const reason =
      real[0]?.type === 'INVALID_REPLICATION_FACTOR'
        ? `it has fewer brokers than KAFKA_REPLICATION asks for (${settings.replication}). Add brokers, or set it to their number`
        : (real[0]?.message ?? message);
    throw new Error(`Kafka did not make the topic ${real[0]?.topic ?? missing[0]![0]}: ${reason}`);
  }
  log.info({ topics: missing.map(([topic]) => topic) }, 'kafka: topics made');
}

function configOf(topic: string, kind: TopicKind, settings: TopicSettings): ITopicConfig {
  const { partitions, replication, config } = shapeOf(kind, settings);
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  return { topic, numPartitions: partitions, replicationFactor: replication, configEntries };
}

/** Until every topic has a leader that knows it. Before, consumers join again and again, and miss events. */
async function untilLed(admin: Admin, topics: string[]): Promise<ITopicMetadata[]> {
  const end = Date.now() + READY_WITHIN_MS;
  for (;;) {
    let reason = 'it has no leader';
    try {
      const { topics: described } = await admin.fetchTopicMetadata({ topics });
      if (described.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0))) {
        await admin.fetchEndOffsets(topics);
        return described;
      }
    } catch (error) {
      reason = (error as Error).message;
    }
    if (Date.now() > end)
      throw new Error(`Kafka's topics were not ready within ${READY_WITHIN_MS / 1000} s: ${reason}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Never rejects: a client that may not read the settings of topics must start all the same. */
async function compare(
  admin: Admin,
  topics: readonly ITopicMetadata[],
  wanted: WantedTopics,
  settings: TopicSettings,
  log: Log,
): Promise<void> {
  try {
    const found = await differences(admin, topics, wanted, settings);
    if (found.length === 0) return;
    const byFinding = Map.groupBy(found, ({ finding }) => finding);
    const said = [...byFinding].map(([finding, ones]) => `${ones.map(({ topic }) => topic).join(', ')}: ${finding}`);
    log.warn({}, `kafka: topics are not as the settings say, and are used as they are: ${said.join('; ')}`);
  } catch (error) {
    log.warn({ err: error }, 'kafka: the settings of the topics could not be read');
  }
}
