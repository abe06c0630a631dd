// How far groups are behind, in the partitions that this process has.
import type { Kafka } from 'kafkajs';
import type { GroupLag } from '../observer.ts';
import type { Group } from './group.ts';
import type { Names } from './names.ts';

/** Rejects when the brokers cannot be asked. */
export async function readLag(kafka: Kafka, groups: readonly Group[], names: Names): Promise<GroupLag[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = new Set(groups.flatMap((group) => [...group.assigned().keys()]));
    const ends = new Map<string, bigint>();
    await Promise.all(
      [...topics].map(async (topic) => {
        for (const { partition, high } of await admin.fetchTopicOffsets(topic))
          ends.set(`${topic}/${partition}`, BigInt(high));
      }),
    );
    const lags = await Promise.all(
      groups.map(async (group): Promise<GroupLag[]> => {
        const assigned = group.assigned();
        const committed = await admin.fetchOffsets({ groupId: group.groupId, topics: [...assigned.keys()] });
        return committed.map(({ topic, partitions }) => {
          const ours = partitions.filter(({ partition }) => assigned.get(topic)?.includes(partition));
          const messages = ours.reduce((sum, { partition, offset }) => {
            const end = ends.get(`${topic}/${partition}`) ?? 0n;
            return sum + Number(BigInt(offset) < 0n ? end : end - BigInt(offset));
          }, 0);
          const written = ours.flatMap(({ partition }) => group.oldest().get(`${topic}/${partition}`) ?? []);
          const oldestMs = written.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...written));
          return {
            group: names.plain(group.groupId)!,
            topic: names.plain(topic)!,
            messages: Math.max(0, messages),
            oldestMs,
          };
        });
      }),
    );
    return lags.flat();
  } finally {
    await admin.disconnect();
  }
}
