import type { Admin, Kafka } from 'kafkajs';
import pTimeout from 'p-timeout';
import type { GroupLag } from '../../observer.ts';
import { type Ends, endsOf, keepAdmin } from '../admin.ts';
import type { Names } from '../topics/names.ts';
import type { Group } from './group.ts';

const ANSWER_WITHIN_MS = 1_000;

export function createLagReader(kafka: Kafka, names: Names) {
  const { use, close } = keepAdmin(kafka);
  const lagsOf = (groups: readonly Group[]) =>
    use(async (admin) => {
      const ends = await endsOf(admin, new Set(groups.flatMap((group) => [...group.assigned().keys()])));
      return (await Promise.all(groups.map((group) => lagOf(admin, group, ends, names)))).flat();
    });
  const nothing = (): readonly GroupLag[] => [];
  return {
    /** Returns an empty list while the brokers do not answer, because the caller must not wait for them. */
    async read(groups: readonly Group[]): Promise<readonly GroupLag[]> {
      if (groups.length === 0) return [];
      return pTimeout(lagsOf(groups).catch(nothing), { milliseconds: ANSWER_WITHIN_MS, fallback: nothing });
    },
    close,
  };
}

async function lagOf(admin: Admin, group: Group, ends: Ends, names: Names): Promise<GroupLag[]> {
  const assigned = group.assigned();
  const committed = await admin.fetchOffsets({ groupId: group.groupId, topics: [...assigned.keys()] });
  return committed.map(({ topic, partitions }) => {
    const ours = partitions.filter(({ partition }) => assigned.get(topic)?.includes(partition));
    const messages = ours.reduce((sum, { partition, offset }) => {
      const end = ends.get(`${topic}/${partition}`) ?? 0n;
      // Without an offset, the group has committed nothing yet and begins at the beginning.
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
}
