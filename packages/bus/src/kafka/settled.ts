// Waits until every group has done the work that was there. For tests and for operators who drain an installation.
import { type Admin, AssignerProtocol, type Kafka } from 'kafkajs';
import { names as createNames, type Names } from './topics/names.ts';

const LOOK_MS = 15;

export interface Settling {
  /**
   * Resolves when every group has committed the end offsets that its topics had at the call, and all messages that
   * followed from that work.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** @param kafka a client that nothing else uses */
export function openSettling(kafka: Kafka, prefix = ''): Settling {
  const names = createNames(prefix);
  const admin = kafka.admin();
  let connecting: Promise<void> | undefined;
  const connected = () => {
    connecting ??= admin.connect();
    return connecting;
  };
  return {
    async settled() {
      await connected();
      const groups = await topicsByGroup(admin, names);
      const topics = [...new Set([...groups.values()].flat())];
      for (let before = ''; ; ) {
        const ends = await endsOf(admin, topics);
        const now = [...ends].map(([at, { high }]) => `${at} ${high}`).join();
        await Promise.all([...groups].map(([group, read]) => reached(admin, group, read, ends)));
        // A command's events may arrive after the end offsets were read. So this loop repeats until no new message
        // arrives.
        if (now === before) return;
        before = now;
      }
    },
    async close() {
      if (connecting === undefined) return;
      await connecting.catch(() => {});
      await admin.disconnect();
    },
  };
}

/** Returns the topics that the members of each group read. */
async function topicsByGroup(admin: Admin, names: Names): Promise<Map<string, string[]>> {
  const { groups } = await admin.listGroups();
  const ours = groups.map(({ groupId }) => groupId).filter((id) => names.plain(id) !== undefined && !names.isLive(id));
  const described = ours.length === 0 ? [] : (await admin.describeGroups(ours)).groups;
  return new Map(
    described.map(({ groupId, members }) => [
      groupId,
      [
        ...new Set(
          members.flatMap(({ memberMetadata }) => AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? []),
        ),
      ],
    ]),
  );
}

type Ends = Map<string, { low: bigint; high: bigint }>;

async function endsOf(admin: Admin, topics: readonly string[]): Promise<Ends> {
  const ends: Ends = new Map();
  await Promise.all(
    topics.map(async (topic) => {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
        ends.set(`${topic}/${partition}`, { low: BigInt(low), high: BigInt(high) });
    }),
  );
  return new Map([...ends].sort(([a], [b]) => (a < b ? -1 : 1)).map(([at, { low, high }]) => [at, { low, high }]));
}

async function reached(admin: Admin, groupId: string, topics: string[], ends: Ends): Promise<void> {
  if (topics.length === 0) return;
  for (;;) {
    const offsets = await admin.fetchOffsets({ groupId, topics });
    const behind = offsets.some(({ topic, partitions }) =>
      partitions.some(({ partition, offset }) => {
        const end = ends.get(`${topic}/${partition}`);
        return end !== undefined && end.high > end.low && BigInt(offset) < end.high;
      }),
    );
    if (!behind) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
