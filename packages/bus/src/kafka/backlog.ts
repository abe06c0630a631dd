// Whether a group keeps up with a topic, over all of its partitions and whoever has them. The members cannot say: one that is
// frozen or gone says nothing, and nobody else has its partitions. The brokers can: what they keep, against what was committed.
import type { Admin, Kafka } from 'kafkajs';
import type { Log } from '../log.ts';
import type { Backlog } from '../port.ts';

export interface BacklogWatch extends Backlog {
  /** Looks for the first time, then again and again. Never rejects. */
  start(): Promise<void>;
  /** A sentence for an operator while it is late, or while nobody knows. */
  trouble(): string | undefined;
  stop(): Promise<void>;
}

/** Where it looks. */
export interface BacklogReader {
  /** Whether something that is older than this lies behind what the group has committed. Rejects when the brokers do not say. */
  waitsOver(ms: number): Promise<boolean>;
  close(): Promise<void>;
}

const LOOK_MS = 1_000;
/** While the group is late, or may be so before the next look. */
const LOOK_AGAIN_MS = 200;
/** What was seen before that says nothing of now: a process that was frozen must look first. */
const GOOD_MS = 5_000;

/** @param what names the backlog to operators: `attribution: link.clicked` */
export function watchBacklog(reader: BacklogReader, limitMs: number, what: string, log: Log): BacklogWatch {
  let seen = { late: true, at: Number.NEGATIVE_INFINITY };
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const at = performance.now();
    let near = true;
    try {
      near = await reader.waitsOver(Math.max(0, limitMs - LOOK_MS));
      const late = near && (await reader.waitsOver(limitMs));
      if (late !== seen.late && Number.isFinite(seen.at)) {
        if (late) log.warn({ backlog: what, limitMs }, 'a group is late: what it must not miss waits for it');
        else log.info({ backlog: what }, 'a group is in time again');
      }
      seen = { late, at };
    } catch (error) {
      log.debug({ backlog: what, err: error }, 'kafka: how far a group is behind could not be seen');
    }
    if (!stopped) timer = setTimeout(look, near ? LOOK_AGAIN_MS : LOOK_MS);
  }

  const isKnown = () => performance.now() - seen.at <= GOOD_MS;
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
