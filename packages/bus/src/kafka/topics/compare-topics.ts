// Changes no topic: other values may be on purpose, and the operator of the brokers decides.
import type { Admin, ITopicMetadata } from 'kafkajs';
import { configsOf, withAdmin } from '../admin.ts';
import { createClient, noLog } from '../client.ts';
import type { KafkaConnection, TopicSettings } from '../options.ts';
import { shapeOf, type TopicKind, type WantedTopics } from './wanted-topics.ts';

export interface TopicFinding {
  topic: string;
  what: 'missing' | 'partitions' | 'replication' | 'retention' | 'cleanup' | 'in-sync';
  /** The text after the topic's name and a colon: `4 partitions, KAFKA_PARTITIONS says 3`. */
  finding: string;
}

/** `wanted` comes from {@link productTopics}. Rejects when the brokers do not answer. */
export const compareTopics = (
  connection: KafkaConnection,
  wanted: WantedTopics,
  settings: TopicSettings,
): Promise<TopicFinding[]> =>
  withAdmin(createClient('landfall-topics', connection, noLog), async (admin) => {
    const existing = new Set(await admin.listTopics());
    const topics = [...wanted.keys()].filter((topic) => existing.has(topic));
    const found = topics.length === 0 ? [] : (await admin.fetchTopicMetadata({ topics })).topics;
    const missing = [...wanted.keys()].filter((topic) => !existing.has(topic));
    return [
      ...missing.map((topic): TopicFinding => ({ topic, what: 'missing', finding: 'missing' })),
      ...(await differences(admin, found, wanted, settings)),
    ];
  });

/** Rejects when the brokers do not show the topics' settings. */
export async function differences(
  admin: Admin,
  found: readonly ITopicMetadata[],
  wanted: WantedTopics,
  settings: TopicSettings,
): Promise<TopicFinding[]> {
  if (found.length === 0) return [];
  const names = found.map(({ name }) => name);
  const configs = await configsOf(admin, names, ['cleanup.policy', 'retention.ms', 'min.insync.replicas']);
  const byName = new Map(found.map((topic) => [topic.name, topic]));
  // The order of what is wanted is that in which modules are loaded.
  return [...wanted.keys()].sort().flatMap((name) => {
    const topic = byName.get(name);
    return topic ? differencesOf(topic, configs.get(name) ?? {}, wanted.get(name)!, settings) : [];
  });
}

function differencesOf(
  { name: topic, partitions }: ITopicMetadata,
  config: Readonly<Record<string, string>>,
  kind: TopicKind,
  settings: TopicSettings,
): TopicFinding[] {
  const wanted = shapeOf(kind, settings);
  const findings: TopicFinding[] = [];
  const say = (what: TopicFinding['what'], finding: string) => findings.push({ topic, what, finding });
  const copies = Math.min(...partitions.map(({ replicas }) => replicas.length));
  const { 'retention.ms': kept, 'cleanup.policy': policy, 'min.insync.replicas': inSync } = config;

  if (partitions.length !== wanted.partitions)
    say('partitions', `${count(partitions.length, 'partition')}, ${partitionsSay(kind, wanted.partitions)}`);
  if (copies !== wanted.replication)
    say('replication', `${count(copies, 'copy', 'copies')}, KAFKA_REPLICATION says ${wanted.replication}`);
  if (kept !== undefined && kept !== wanted.config['retention.ms'])
    say('retention', `kept ${duration(kept)}, ${retentionSays(kind, wanted.config['retention.ms'])}`);
  if (policy !== undefined && policy !== wanted.config['cleanup.policy'])
    say('cleanup', `cleanup.policy=${policy} instead of ${wanted.config['cleanup.policy']}`);
  // A higher value than the wanted one loses nothing.
  if (Number(inSync) < Number(wanted.config['min.insync.replicas']))
    say('in-sync', `min.insync.replicas=${inSync}: a broker that dies may lose what was acknowledged`);
  return findings;
}

const partitionsSay = (kind: TopicKind, wanted: number): string =>
  kind === 'replies' ? `${wanted} are needed` : `KAFKA_PARTITIONS says ${wanted}`;

const HOURS: Partial<Record<TopicKind, string>> = {
  events: 'KAFKA_EVENT_HOURS',
  commands: 'KAFKA_COMMAND_HOURS',
  retry: 'KAFKA_COMMAND_HOURS',
  dead: 'KAFKA_DEAD_LETTER_HOURS',
};
const retentionSays = (kind: TopicKind, ms: string): string =>
  HOURS[kind] ? `${HOURS[kind]} says ${duration(ms)}` : `${duration(ms)} is enough`;

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

function duration(ms: string): string {
  if (Number(ms) < 0) return 'for ever';
  const [unit, size] = UNITS.find(([, size]) => Number(ms) % size === 0) ?? ['ms', 1];
  return `${Number(ms) / size} ${unit}`;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
