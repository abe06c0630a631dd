// Reads the state of brokers, groups and topic copies, for a person who looks for a fault. Changes nothing.
import { requests } from '@landfall/contracts';
import type { Admin } from 'kafkajs';
import type { Log } from '../observer.ts';
import type { GroupState } from '../receiver.ts';
import { configsOf } from './admin.ts';
import { createClient } from './client.ts';
import type { KafkaConnection } from './options.ts';
import { names as createNames, type Names } from './topics/names.ts';

export interface BrokerState {
  /** `host:port`, as configured or as the brokers report it. */
  address: string;
  /** The reason why the broker does not answer; undefined when it answers. */
  fault?: string;
}

export type PartitionTrouble =
  /** Some partition of any topic on these brokers has no leader. No client can use it. */
  | { what: 'leader' }
  /** `writes`: too few copies are in sync for acknowledged writes. `copies`: at least one copy is not in sync. */
  | { what: 'writes' | 'copies'; topic: string; partition: number };

export const AGES_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000] as const;

/** Sends nothing before the first call, and retries nothing. `patience`: the factor for every time limit. */
export function openInspection(connection: KafkaConnection, log: Log, prefix = '', patience = 1) {
  const names = createNames(prefix);
  const admins: Admin[] = [];
  let connecting: Promise<Admin> | undefined;

  async function connectTo(brokers: readonly string[]): Promise<Admin> {
    const admin = createClient('landfall-doctor', { ...connection, brokers }, log, 'none', patience).admin();
    admins.push(admin);
    await admin.connect();
    return admin;
  }
  const connected = () => {
    connecting ??= Promise.any(connection.brokers.map((broker) => connectTo([broker])));
    return connecting;
  };

  async function stateOf(address: string): Promise<BrokerState> {
    try {
      // A connection begins with a request for API versions, so this proves that the broker answers.
      await connectTo([address]);
      return { address };
    } catch (error) {
      return { address, fault: (error as Error).message };
    }
  }

  return {
    /** Asks each configured broker, and each further one that these report. Takes about 4 s at the most. */
    async brokers(): Promise<BrokerState[]> {
      const given = await Promise.all(connection.brokers.map(stateOf));
      const alive = given.filter(({ fault }) => fault === undefined).map(({ address }) => address);
      if (alive.length === 0) return given;
      const { brokers } = await (await connectTo(alive)).describeCluster();
      const further = brokers
        .map(({ host, port }) => `${host}:${port}`)
        .filter((one) => !connection.brokers.includes(one));
      return [...given, ...(await Promise.all(further.map(stateOf)))];
    },
    /** Groups of the contracts, and those with dead letters. `waitedMs` is one of {@link AGES_MS}, or 0 for less. */
    groups: async (): Promise<GroupState[]> => groupsOf(await connected(), names),
    /** Skips topics that do not exist. Rejects when the brokers do not answer. */
    partitions: async (topics: Iterable<string>) => troublesOf(await connected(), new Set(topics)),
    async close(): Promise<void> {
      await Promise.all(admins.map((admin) => admin.disconnect().catch(() => {})));
    },
  };
}

async function groupsOf(admin: Admin, names: Names): Promise<GroupState[]> {
  const topics = await admin.listTopics();
  const existing = new Set(topics);
  const groups = [...new Set([...requests.map(({ topic }) => topic), ...names.groupsWithDead(topics)])].sort();
  const described = await unlessNobodyMet(admin.describeGroups(groups.map(names.group)), { groups: [] });
  const members = new Map(described.groups.map((one) => [one.groupId, one.members.length]));
  return Promise.all(
    groups.map(async (group) => ({
      group,
      members: members.get(names.group(group)) ?? 0,
      ...(await waitingOf(admin, group, existing, names)),
    })),
  );
}

/** Returns `nobody` when the brokers have no group coordinator. They have none before the first group joins. */
const unlessNobodyMet = <T>(asked: Promise<T>, nobody: T): Promise<T> =>
  asked.catch((error: Error) => {
    if (/GroupCoordinator|group coordinator/.test(`${error.name} ${error.message}`)) return nobody;
    throw error;
  });

/** Counts the messages behind a group's offsets, in all topics that it ever read, its own and its replays. */
async function waitingOf(admin: Admin, group: string, existing: ReadonlySet<string>, names: Names) {
  const read = await unlessNobodyMet(admin.fetchOffsets({ groupId: names.group(group) }), []);
  const all = new Set([...read.map(({ topic }) => topic), names.topic(group), names.retry(group)]);
  const topics = [...all].filter((topic) => existing.has(topic));
  const committed = new Map(
    read.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [`${topic}/${partition}`, BigInt(offset)] as const),
    ),
  );
  const found = await Promise.all(topics.map((topic) => waitingIn(admin, topic, committed)));
  return {
    lag: found.reduce((sum, { lag }) => sum + lag, 0),
    waitedMs: Math.max(0, ...found.map(({ waitedMs }) => waitedMs)),
  };
}

async function waitingIn(admin: Admin, topic: string, committed: ReadonlyMap<string, bigint>) {
  const ends = await admin.fetchTopicOffsets(topic);
  /** A group begins at the beginning when it has no offset, or when its offset is older than the kept messages. */
  const next = new Map(
    ends.map(({ partition, low }) => {
      const offset = committed.get(`${topic}/${partition}`) ?? -1n;
      return [partition, offset < BigInt(low) ? BigInt(low) : offset];
    }),
  );
  const lag = ends.reduce((sum, { partition, high }) => sum + Number(BigInt(high) - next.get(partition)!), 0);
  if (lag === 0) return { lag, waitedMs: 0 };
  const now = Date.now();
  const waited = await Promise.all(
    AGES_MS.map(async (age) => {
      // The first younger message, or the end: whatever is not done before it is older.
      const younger = await admin.fetchTopicOffsetsByTimestamp(topic, now - age);
      return younger.some(({ partition, offset }) => next.get(partition)! < BigInt(offset)) ? age : 0;
    }),
  );
  return { lag, waitedMs: Math.max(...waited) };
}

const LEADER_NOT_AVAILABLE = 5;

async function troublesOf(admin: Admin, wanted: ReadonlySet<string>): Promise<PartitionTrouble[]> {
  try {
    const topics = (await admin.listTopics()).filter((topic) => wanted.has(topic));
    return await troublesIn(admin, topics);
  } catch (error) {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
    // In this case kafkajs describes no topic, and does not name the topic without a leader.
    if ((code ?? cause?.code) === LEADER_NOT_AVAILABLE) return [{ what: 'leader' }];
    throw error;
  }
}

async function troublesIn(admin: Admin, topics: string[]): Promise<PartitionTrouble[]> {
  if (topics.length === 0) return [];
  const [{ topics: described }, configs] = await Promise.all([
    admin.fetchTopicMetadata({ topics }),
    configsOf(admin, topics, ['min.insync.replicas']),
  ]);
  return described.flatMap(({ name: topic, partitions }) => {
    const needed = Number(configs.get(topic)?.['min.insync.replicas'] ?? 1);
    return partitions.flatMap(({ partitionId: partition, isr, replicas }): PartitionTrouble[] => {
      if (isr.length < needed) return [{ topic, partition, what: 'writes' }];
      return isr.length < replicas.length ? [{ topic, partition, what: 'copies' }] : [];
    });
  });
}
