// Reads the state of brokers, groups and copies of topics, for a person who looks for a fault. Nothing is changed.
import { requests } from '@landfall/contracts';
import type { Admin, ConfigResourceTypes } from 'kafkajs';
import type { Log } from '../log.ts';
import { createClient } from './client.ts';
import type { KafkaConnection } from './options.ts';
import { names as createNames, type Names } from './topics/names.ts';

export interface BrokerState {
  /** `host:port`, as it was given or as the brokers name it. */
  address: string;
  /** The reason why it does not answer; undefined when it does. */
  fault?: string;
}

export interface GroupState {
  /** Without the prefix. */
  group: string;
  /** Processes that share its work; 0 where nothing runs. */
  members: number;
  /** Messages that nobody has done yet. */
  lag: number;
  /** The oldest of them has waited for at least so long, in steps of {@link AGES_MS}; 0 for less than the first. */
  waitedMs: number;
}

/** A partition that is not as it should be. */
export type PartitionTrouble =
  /** Some partition, of any topic of these brokers, has no leader: nobody can use it. */
  | { what: 'leader' }
  /** `writes`: too few copies for acknowledged writes. `copies`: some copy is missing. */
  | { what: 'writes' | 'copies'; topic: string; partition: number };

export interface Inspection {
  /** Each that was given or that those name, asked one by one: all answers together, after 2 s at the most. */
  brokers(): Promise<BrokerState[]>;
  /** Every group that the contracts know and every one that has left letters. Rejects when the brokers do not say. */
  groups(): Promise<GroupState[]>;
  /** Of the topics that exist among these. Rejects when the brokers do not say. */
  partitions(topics: Iterable<string>): Promise<PartitionTrouble[]>;
  close(): Promise<void>;
}

export const AGES_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000] as const;

/** The library's own constant is no export that Node finds. */
const TOPIC: ConfigResourceTypes.TOPIC = 2;

/** Nothing is asked of the brokers before the first call, and nothing is tried twice. */
export function openInspection(connection: KafkaConnection, log: Log, prefix = ''): Inspection {
  const names = createNames(prefix);
  const admins: Admin[] = [];
  let connecting: Promise<Admin> | undefined;

  async function connectTo(brokers: readonly string[]): Promise<Admin> {
    const admin = createClient('landfall-doctor', { ...connection, brokers }, log, 'none').admin();
    admins.push(admin);
    await admin.connect();
    return admin;
  }
  /** Any of them that takes us. */
  const connected = () => {
    connecting ??= Promise.any(connection.brokers.map((broker) => connectTo([broker])));
    return connecting;
  };

  async function stateOf(address: string): Promise<BrokerState> {
    try {
      // A connection begins with a question for what the broker can do.
      await connectTo([address]);
      return { address };
    } catch (error) {
      return { address, fault: (error as Error).message };
    }
  }

  return {
    async brokers() {
      const given = await Promise.all(connection.brokers.map(stateOf));
      const alive = given.filter(({ fault }) => fault === undefined).map(({ address }) => address);
      if (alive.length === 0) return given;
      const { brokers } = await (await connectTo(alive)).describeCluster();
      const further = brokers
        .map(({ host, port }) => `${host}:${port}`)
        .filter((one) => !connection.brokers.includes(one));
      return [...given, ...(await Promise.all(further.map(stateOf)))];
    },
    groups: async () => groupsOf(await connected(), names),
    partitions: async (topics) => troublesOf(await connected(), new Set(topics)),
    async close() {
      await Promise.all(admins.map((admin) => admin.disconnect().catch(() => {})));
    },
  };
}

async function groupsOf(admin: Admin, names: Names): Promise<GroupState[]> {
  const existing = new Set(await admin.listTopics());
  const deadPrefix = names.dead('');
  const left = [...existing].flatMap((topic) => (topic.startsWith(deadPrefix) ? [topic.slice(deadPrefix.length)] : []));
  const groups = [...new Set([...requests.map(({ topic }) => topic), ...left])].sort();
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

/** Before the first group meets, brokers have nobody who looks after groups. */
const unlessNobodyMet = <T>(asked: Promise<T>, nobody: T): Promise<T> =>
  asked.catch((error: Error) => {
    if (/GroupCoordinator|group coordinator/.test(`${error.name} ${error.message}`)) return nobody;
    throw error;
  });

/** The messages behind a group's offsets, in all topics that it ever read, its own topic and its replays. */
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
  /** Without an offset, or behind what is kept, a group begins at the beginning. */
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
      // The first message that is younger, or the end: what lies before it and was not done is older.
      const younger = await admin.fetchTopicOffsetsByTimestamp(topic, now - age);
      return younger.some(({ partition, offset }) => next.get(partition)! < BigInt(offset)) ? age : 0;
    }),
  );
  return { lag, waitedMs: Math.max(...waited) };
}

const LEADER_NOT_AVAILABLE = 5;

async function troublesOf(admin: Admin, wanted: ReadonlySet<string>): Promise<PartitionTrouble[]> {
  try {
    const listed = await admin.listTopics();
    return await troublesIn(
      admin,
      listed.filter((topic) => wanted.has(topic)),
    );
  } catch (error) {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
    // The library then says nothing of any topic, nor which one it is.
    if ((code ?? cause?.code) === LEADER_NOT_AVAILABLE) return [{ what: 'leader' }];
    throw error;
  }
}

async function troublesIn(admin: Admin, topics: string[]): Promise<PartitionTrouble[]> {
  if (topics.length === 0) return [];
  const [{ topics: described }, needed] = await Promise.all([
    admin.fetchTopicMetadata({ topics }),
    neededOf(admin, topics),
  ]);
  return described.flatMap(({ name: topic, partitions }) =>
    partitions.flatMap(({ partitionId: partition, isr, replicas }): PartitionTrouble[] => {
      if (isr.length < needed.get(topic)!) return [{ topic, partition, what: 'writes' }];
      return isr.length < replicas.length ? [{ topic, partition, what: 'copies' }] : [];
    }),
  );
}

/** The number of copies that must be in sync for a write. */
async function neededOf(admin: Admin, topics: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: TOPIC, name, configNames: ['min.insync.replicas'] })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => [resourceName, Number(configEntries[0]?.configValue ?? 1)]),
  );
}
