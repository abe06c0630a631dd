// Finds out whether a group keeps up with a topic, over all partitions. The members of the group cannot tell: a frozen
// member reports nothing, and nobody else has its partitions. The brokers can: they compare the stored records with the
// committed offsets.
import type { Admin, Kafka } from 'kafkajs';
import type { Log } from '../../log.ts';
import type { Backlog } from '../../port.ts';

export interface BacklogWatch extends Backlog {
  /** Looks for the first time, then again and again. Never rejects. */
  start(): Promise<void>;
  /** A sentence for an operator while it is late, or while nobody knows. */
  trouble(): string | undefined;
  stop(): Promise<void>;
}

/** The group and topic that it watches. */
export interface BacklogReader {
  /**
   * Returns true when a record older than this lies behind the committed offsets. Rejects when the brokers do not
   * answer.
   */
  waitsOver(ms: number): Promise<boolean>;
  close(): Promise<void>;
}

const LOOK_MS = 1_000;
/** While the group is late, or may be so before the next look. */
const LOOK_AGAIN_MS = 200;
/** Milliseconds until a look is out of date. One failed look, and the next one, fit into it. */
const GOOD_MS = 5_000;
/** A look that begins so late: the process was frozen, and what it has seen says nothing of the time since. */
const FROZEN_MS = 1_000;
/** An answer that took longer is as good as none. */
const ANSWER_MS = 2_000;

/** @param what names the backlog to operators: `attribution: link.clicked` */
export function watchBacklog(reader: BacklogReader, limitMs: number, what: string, log: Log): BacklogWatch {
  const nothing = { late: true, at: Number.NEGATIVE_INFINITY };
  let seen = nothing;
  /** When the next look should begin; while it looks, never. */
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
      // A look that took so long may have been frozen on its way.
      if (performance.now() - at > ANSWER_MS) throw new Error('the brokers answered too late');
      seen = { late, at };
      say(late);
    } catch (error) {
      near = true;
      log.debug({ backlog: what, err: error }, 'kafka: how far a group is behind could not be seen');
    }
    if (stopped) return;
    const restMs = near ? LOOK_AGAIN_MS : LOOK_MS;
    due = performance.now() + restMs;
    timer = setTimeout(look, restMs);
  }

  function say(late: boolean): void {
    if (late === said) return;
    said = late;
    if (late) log.warn({ backlog: what, limitMs }, 'a group is late: what it must not miss waits for it');
    else log.info({ backlog: what }, 'a group is in time again');
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

/** @param kafka a client that tries nothing twice: the next look is the next try */
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
        // Connected anew the next time: it may be another broker's business by then.
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
  // The first message that is younger, or the end: what lies before it is older. Asked first: kafkajs learns of brokers by it.
  const younger = await admin.fetchTopicOffsetsByTimestamp(topic, Date.now() - ms);
  const read = await admin.fetchOffsets({ groupId, topics: [topic] });
  const committed = new Map(
    read.flatMap(({ partitions }) => partitions.map((one) => [one.partition, BigInt(one.offset)])),
  );
  const behind = younger.filter(({ partition, offset }) => (committed.get(partition) ?? -1n) < BigInt(offset));
  if (behind.length === 0) return false;
  // Without an offset, or behind what is kept, a group begins at the beginning. What is gone waits for nobody.
  const kept = new Map((await admin.fetchTopicOffsets(topic)).map((one) => [one.partition, BigInt(one.low)]));
  return behind.some(({ partition, offset }) => kept.get(partition)! < BigInt(offset));
}
