// The ends of topics, as the brokers give them.
import type { Admin } from 'kafkajs';

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
