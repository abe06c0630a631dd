// Finds out whether a group keeps up with a topic, over all partitions. Its members cannot tell: a frozen one reports
// nothing, and no other has its partitions. The brokers know the stored records and the committed offsets.
import type { Admin, Kafka } from 'kafkajs';
import type { Log } from '../../observer.ts';
import { keepAdmin } from '../admin.ts';

export type BacklogWatch = ReturnType<typeof watchBacklog>;

export interface BacklogReader {
  /** Returns true when the group has not committed a record that is older. Rejects when no broker answers. */
  waitsOver(ms: number): Promise<boolean>;
  close(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Milliseconds between two checks while the group is late, or may become late before the next check. */
const LOOK_AGAIN_MS = 200;
/** Milliseconds until a check is out of date. One failed check, and the next one, fit into this time. */
const GOOD_MS = 5_000;
/** Milliseconds. A check that begins so much too late shows that the process was frozen, and knows nothing. */
const FROZEN_MS = 1_000;
/** Milliseconds. An answer that takes longer counts as no answer. */
const ANSWER_MS = 2_000;

/** @param what the name of the backlog for operators: `attribution: link.clicked` */
export function watchBacklog(reader: BacklogReader, limitMs: number, what: string, log: Log) {
  const nothing = { late: true, at: Number.NEGATIVE_INFINITY };
  let seen = nothing;
  /** The time when the next check should begin; infinite while a check runs. */
  let due = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let said = false;

  async function look(): Promise<void> {
    const at = performance.now();
    if (isFrozen()) seen = nothing;
    due = Number.POSITIVE_INFINITY;
    let near: boolean;
    try {
      near = await reader.waitsOver(Math.max(0, limitMs - LOOK_MS));
      const late = near && (await reader.waitsOver(limitMs));
      // The process may have been frozen during a check that took this long.
      if (performance.now() - at > ANSWER_MS) throw new Error('the brokers answered too late');
      seen = { late, at };
      say(late);
    } catch (error) {
      near = true;
      log.debug({ backlog: what, err: error }, 'kafka: the lag of a consumer group could not be read');
    }
    if (stopped) return;
    const restMs = near ? LOOK_AGAIN_MS : LOOK_MS;
    due = performance.now() + restMs;
    timer = setTimeout(look, restMs);
  }

  function say(late: boolean): void {
    if (late === said) return;
    said = late;
    if (late)
      log.warn(
        { backlog: what, limitMs },
        'the lag of a consumer group is too high: requests that depend on it are refused until it has caught up',
      );
    else log.info({ backlog: what }, 'a consumer group has caught up');
  }

  const isFrozen = () => performance.now() - due > FROZEN_MS;
  const isKnown = () => performance.now() - seen.at <= GOOD_MS && !isFrozen();
  return {
    late: () => seen.late || !isKnown(),
    /** Checks the backlog for the first time, then again and again. Never rejects. */
    start: look,
    trouble(): string | undefined {
      if (!isKnown()) return `${what}: nobody says whether it is in time`;
      return seen.late ? `${what}: something has waited for over ${limitMs / 1000} s` : undefined;
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await reader.close();
    },
  };
}

/** @param kafka a client without retries: the next check is the retry */
export function openBacklogReader(kafka: Kafka, groupId: string, topic: string): BacklogReader {
  const { use, close } = keepAdmin(kafka);
  return { waitsOver: (ms) => use((admin) => waitsOver(admin, groupId, topic, ms)), close };
}

async function waitsOver(admin: Admin, groupId: string, topic: string, ms: number): Promise<boolean> {
  // The offset of the first message that is younger, or the end. Messages before this offset are older. This request
  // comes first, because kafkajs learns the brokers from it.
  const younger = await admin.fetchTopicOffsetsByTimestamp(topic, Date.now() - ms);
  const read = await admin.fetchOffsets({ groupId, topics: [topic] });
  const committed = new Map(
    read.flatMap(({ partitions }) => partitions.map((one) => [one.partition, BigInt(one.offset)])),
  );
  const behind = younger.filter(({ partition, offset }) => (committed.get(partition) ?? -1n) < BigInt(offset));
  if (behind.length === 0) return false;
  // Deleted messages are no backlog: a group with an older offset, or with none, begins at the beginning.
  const kept = new Map((await admin.fetchTopicOffsets(topic)).map((one) => [one.partition, BigInt(one.low)]));
  return behind.some(({ partition, offset }) => kept.get(partition)! < BigInt(offset));
}
