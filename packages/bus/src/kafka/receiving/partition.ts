// Computes the partition of a key as Kafka's own clients do. Other producers choose the same partition for the same
// key.

/** Returns the Murmur2 hash of the key's bytes, as an unsigned 31-bit number modulo the number of partitions. */
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
