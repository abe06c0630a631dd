// Waits until every group has done the work that was there. For tests over Kafka.
import { setTimeout } from 'node:timers/promises';
import { type Admin, AssignerProtocol, type GroupDescription, type SeekEntry } from 'kafkajs';
import type { Log } from '../observer.ts';
import { type Ends, endsOf, keepAdmin } from './admin.ts';
import { createClient } from './client.ts';
import type { KafkaConnection } from './options.ts';
import { names as createNames } from './topics/names.ts';

const LOOK_MS = 15;
/** Milliseconds after which a group that is still behind may wait for messages that are deleted. */
const DELETED_MS = 500;

export function openSettling(connection: KafkaConnection, log: Log, prefix = '') {
  const names = createNames(prefix);
  const { use, close } = keepAdmin(createClient('landfall-settled', connection, log));
  /** The topics that the members of each group read. A group always reads the same ones. */
  const known = new Map<string, readonly string[]>();
  /** The end offsets that each group has reached: they are not looked up again. */
  const done = new Map<string, string>();

  async function topicsByGroup(admin: Admin): Promise<Map<string, readonly string[]>> {
    const { groups } = await admin.listGroups();
    const ours = groups
      .map(({ groupId }) => groupId)
      .filter((id) => names.plain(id) !== undefined && !id.startsWith(names.live('')));
    // A group without members says nothing of its topics.
    for (let unknown = ours.filter((id) => !known.get(id)?.length); unknown.length > 0; ) {
      const { groups: described } = await admin.describeGroups(unknown);
      // In a rebalance, the members' metadata is empty. Such a group has work, so it is looked at again.
      const stable = described.filter(({ state }) => !state.endsWith('Rebalance'));
      for (const group of stable) known.set(group.groupId, topicsOf(group));
      unknown = unknown.filter((id) => stable.every(({ groupId }) => groupId !== id));
      if (unknown.length > 0) await setTimeout(LOOK_MS);
    }
    return new Map(ours.map((id) => [id, known.get(id) ?? []]));
  }

  async function reach(admin: Admin, group: string, topics: readonly string[], ends: Ends): Promise<void> {
    const wanted = [...ends].filter(([at]) => topics.includes(at.slice(0, at.lastIndexOf('/')))).join();
    if (done.get(group) === wanted) return;
    await reached(admin, group, topics, ends);
    done.set(group, wanted);
  }

  async function settled(admin: Admin): Promise<void> {
    const groups = await topicsByGroup(admin);
    const topics = [...new Set([...groups.values()].flat())];
    for (let before = ''; ; ) {
      const ends = await endsOf(admin, topics);
      const now = [...ends].join();
      // A command's events may arrive after the end offsets were read. So this loop repeats until no new message
      // arrives.
      if (now === before) return;
      await Promise.all([...groups].map(([group, read]) => reach(admin, group, read, ends)));
      before = now;
    }
  }

  return {
    /** Resolves when every group has done what its topics had at the call, and all that followed from it. */
    settled: () => use(settled),
    close,
  };
}

function topicsOf({ members }: GroupDescription): string[] {
  const read = members.flatMap(
    ({ memberMetadata }) => AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [],
  );
  return [...new Set(read)];
}

/** Resolves when the group has committed everything up to the ends. */
async function reached(admin: Admin, groupId: string, topics: readonly string[], ends: Ends): Promise<void> {
  let checkedAt = Date.now();
  for (let left = [...topics]; left.length > 0; ) {
    let behind = (await admin.fetchOffsets({ groupId, topics: left })).filter((one) => isBehind(one, ends));
    if (behind.length > 0 && Date.now() - checkedAt > DELETED_MS) {
      const begins = await Promise.all(behind.map(({ topic }) => beginsOf(admin, topic)));
      behind = behind.filter((one, n) => isBehind(one, ends, begins[n]));
      checkedAt = Date.now();
    }
    left = behind.map(({ topic }) => topic);
    if (left.length > 0) await setTimeout(LOOK_MS);
  }
}

/** Returns the offsets of the first messages that the brokers still have, by partition. */
async function beginsOf(admin: Admin, topic: string): Promise<Map<number, bigint>> {
  return new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, low }) => [partition, BigInt(low)]));
}

/** Returns true when a group has messages to read before the ends. Of deleted ones it commits nothing. */
function isBehind(
  { topic, partitions }: { topic: string; partitions: readonly SeekEntry[] },
  ends: Ends,
  begins: ReadonlyMap<number, bigint> = new Map(),
): boolean {
  return partitions.some(({ partition, offset }) => {
    const end = ends.get(`${topic}/${partition}`) ?? 0n;
    return BigInt(offset) < end && (begins.get(partition) ?? 0n) < end;
  });
}
