// Names of topics and groups, and partitions of keys. A prefix keeps several installations on one cluster apart.
export type Names = ReturnType<typeof names>;

/** The number of partitions of the reply topic, which all instances share. Each instance reads one fixed partition. */
export const REPLY_PARTITIONS = 16;

export function names(prefix = '') {
  return {
    topic: (topic: string): string => `${prefix}${topic}`,
    group: (group: string): string => `${prefix}${group}`,
    replies: `${prefix}landfall.replies`,
    dead: (group: string): string => `${prefix}dead.${group}`,
    groupsWithDead: (topics: readonly string[]): string[] => {
      const dead = `${prefix}dead.`;
      return topics.filter((topic) => topic.startsWith(dead)).map((topic) => topic.slice(dead.length));
    },
    /** The topic of a group's replays. Only this group reads it. */
    retry: (group: string): string => `${prefix}retry.${group}`,
    /** The group of one process that reads new messages only. Its offsets are never stored. */
    live: (instance: string): string => `${prefix}live.${instance}`,
    /** Returns the name of a topic or group without the prefix; undefined when it belongs to another installation. */
    plain: (name: string): string | undefined => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined),
  };
}

/** As Kafka's own clients, so that other producers choose the same: Murmur2 as an unsigned 31-bit number, modulo. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

const M = 0x5bd1e995;

function murmur2(bytes: Buffer): number {
  const whole = bytes.length & ~3;
  let h = 0x9747b28c ^ bytes.length;
  for (let i = 0; i < whole; i += 4) {
    let k = Math.imul(bytes.readInt32LE(i), M);
    k = Math.imul(k ^ (k >>> 24), M);
    h = Math.imul(h, M) ^ k;
  }
  const rest = bytes.length - whole;
  if (rest === 3) h ^= bytes[whole + 2]! << 16;
  if (rest >= 2) h ^= bytes[whole + 1]! << 8;
  if (rest >= 1) h = Math.imul(h ^ bytes[whole]!, M);
  h = Math.imul(h ^ (h >>> 13), M);
  return h ^ (h >>> 15);
}
