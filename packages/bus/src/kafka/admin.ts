import type { Admin, ConfigResourceTypes, Kafka } from 'kafkajs';

export async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Keeps a connection. After a failure the next use connects again: another broker may be responsible by then. */
export function keepAdmin(kafka: Kafka) {
  let connected: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const admin = kafka.admin();
    try {
      await admin.connect();
    } catch (error) {
      await admin.disconnect().catch(() => {});
      throw error;
    }
    return admin;
  }

  return {
    async use<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
      connected ??= connect();
      const used = connected;
      try {
        return await work(await used);
      } catch (error) {
        if (connected === used) connected = undefined;
        used.then((admin) => admin.disconnect()).catch(() => {});
        throw error;
      }
    },
    async close(): Promise<void> {
      const admin = await connected?.catch(() => undefined);
      await admin?.disconnect();
    },
  };
}

/** The offset of the next message in each partition, by `topic/partition`, in the order of these names. */
export type Ends = ReadonlyMap<string, bigint>;

/** Reads the ends of all partitions of the topics in one request to each broker. */
export async function endsOf(admin: Admin, topics: Iterable<string>): Promise<Ends> {
  const names = [...topics];
  if (names.length === 0) return new Map();
  const found = await admin.fetchEndOffsets(names);
  const ends = found.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, offset }) => [`${topic}/${partition}`, BigInt(offset)] as const),
  );
  return new Map(ends.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Node cannot import the library's own constant. */
const TOPIC: ConfigResourceTypes.TOPIC = 2;

/** Reads these settings of the topics, by topic. Rejects when the client may not read them. */
export async function configsOf(
  admin: Admin,
  topics: readonly string[],
  configNames: string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type: TOPIC, name, configNames })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
}
