// Finds out whether a group keeps up with a topic, over all partitions. The members of the group cannot tell: a frozen
// member reports nothing, and no other member has its partitions. The brokers can tell: they know the stored records
// and the committed offsets.
import type { Admin, Kafka } from 'kafkajs';
import type { Log } from '../../log.ts';
import type { Backlog } from '../../port.ts';

export interface BacklogWatch extends Backlog {
  /** Checks the backlog for the first time, then again and again. Never rejects. */
  start(): Promise<void>;
  /** Returns a sentence for an operator while the group is late, or while its state is unknown. */
  trouble(): string | undefined;
  stop(): Promise<void>;
}

/** Reads the backlog of one group in one topic. */
export interface BacklogReader {
  /**
   * Returns true when the group has not committed a record that is older than `ms` milliseconds. Rejects when the
   * brokers do not answer.
   */
  waitsOver(ms: number): Promise<boolean>;
  close(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Milliseconds between two checks while the group is late, or may become late before the next check. */
const LOOK_AGAIN_MS = 200;
/** Milliseconds until a check is out of date. One failed check, and the next one, fit into this time. */
const GOOD_MS = 5_000;
/**
 * Milliseconds. A check that begins later than planned by more than this shows that the process was frozen. The last
 * result then says nothing about the time since.
 */
const FROZEN_MS = 1_000;
/** Milliseconds. An answer that takes longer counts as no answer. */
const ANSWER_MS = 2_000;

/** @param what the name of the backlog for operators: `attribution: link.clicked` */
export function watchBacklog(reader: BacklogReader, limitMs: number, what: string, log: Log): BacklogWatch {
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
    start: look,
    trouble() {
      if (!isKnown()) return `${what}: nobody says whether it is in time`;
      return seen.late ? `${what}: something has waited for over ${limitMs / 1000} s` : undefined;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await reader.close();
    },
  };
}

/** @param kafka a client without retries: the next check is the retry */
export function openBacklogReader(kafka: Kafka, groupId: string, topic: string): BacklogReader {
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
    async waitsOver(ms) {
      connected ??= connect();
      const used = connected;
      try {
        return await waitsOver(await used, groupId, topic, ms);
      } catch (error) {
        // The next check connects again, because another broker may be responsible by then.
        if (connected === used) connected = undefined;
        used.then((admin) => admin.disconnect()).catch(() => {});
        throw error;
      }
    },
    async close() {
      const admin = await connected?.catch(() => undefined);
      await admin?.disconnect();
    },
  };
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
  // A group begins at the beginning when it has no offset, or when its offset is older than the kept messages. Deleted
  // messages are no backlog.
  const kept = new Map((await admin.fetchTopicOffsets(topic)).map((one) => [one.partition, BigInt(one.low)]));
  return behind.some(({ partition, offset }) => kept.get(partition)! < BigInt(offset));
}
