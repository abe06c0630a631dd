// The work on what one fetch held of a partition: in chunks, through the receivers, and which offsets are done then.
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { PAUSE_MS } from '../../delivery.ts';
import { type Found, readHeaders } from '../wire.ts';
import type { Arrived, Place, Reception } from './receivers.ts';

export interface PartitionWorkOptions {
  receptions: ReadonlyMap<string, Reception>;
  /** True when a topic may hold messages for other groups: they are passed over. */
  othersIn(topic: string): boolean;
  maxBatch: number;
  /** Gives up on a message that nobody can read. Resolves once that is durable. */
  refuse(place: Place, reason: string, found: Found): Promise<void>;
  /** Everything up to and with this offset is done, and what follows from it is durable. */
  done(at: TopicPartition, offset: string): void;
}

export interface TopicPartition {
  topic: string;
  partition: number;
}

export interface PartitionWork {
  /**
   * Works until everything is done or something must wait.
   * @returns how long the partition rests before it is fetched again from the first that is left, in milliseconds; 0: not at all
   */
  work(payload: EachBatchPayload, goesOn: () => boolean): Promise<number>;
  /** When the oldest message that is here and not done was written, by `topic/partition`; milliseconds since 1970. */
  readonly oldest: ReadonlyMap<string, number>;
  /** Partitions that are ours no more. */
  forget(isOurs: (at: string) => boolean): void;
}

/** Rest of a partition whose infrastructure fails. */
const REST_MS = 1_000;

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

export function createPartitionWork(options: PartitionWorkOptions): PartitionWork {
  const { receptions, othersIn, maxBatch, refuse, done } = options;
  /** Done although something before them is not: not done again by us. */
  const ahead = new Map<string, Set<string>>();
  const oldest = new Map<string, number>();

  async function work({ batch, resolveOffset }: EachBatchPayload, goesOn: () => boolean): Promise<number> {
    const { topic, partition, messages } = batch;
    const at = nameOf(batch);
    for (let from = 0; from < messages.length; from += maxBatch) {
      if (!goesOn()) return 0;
      const chunk = messages.slice(from, from + maxBatch);
      oldest.set(at, Number(chunk[0]!.timestamp));
      const places = chunk.map((raw) => ({ topic, partition, raw }));
      const { left, paused } = await handle(places, at);
      const doneTo = left === undefined ? chunk.at(-1)!.offset : before(chunk, left);
      if (doneTo !== undefined) {
        resolveOffset(doneTo);
        done(batch, doneTo);
      }
      if (left === undefined) oldest.delete(at);
      else oldest.set(at, Number(chunk.find(({ offset }) => offset === left)!.timestamp));
      if (left !== undefined || paused) return paused ? PAUSE_MS : REST_MS;
    }
    return 0;
  }

  /** The offset of the first that is not done, if any. Everything that follows from the others is durable. */
  async function handle(places: readonly Place[], at: string): Promise<{ left: string | undefined; paused: boolean }> {
    const done = ahead.get(at);
    const byName = new Map<string, Arrived[]>();
    const refused: Promise<void>[] = [];
    for (const place of places) {
      if (done?.has(place.raw.offset)) continue;
      const found = readHeaders(place.raw.headers);
      const { name = '' } = found;
      const reception = receptions.get(name);
      if (reception === undefined && name !== '' && othersIn(place.topic)) continue;
      const read = reception?.read(place, found) ?? {
        reason: `nobody here knows ${name || 'a message without a name'}`,
      };
      if ('reason' in read) refused.push(refuse(place, read.reason, found));
      else if (byName.has(name)) byName.get(name)!.push(read);
      else byName.set(name, [read]);
    }
    const lefts = await Promise.all([...byName].map(([name, items]) => receptions.get(name)!.bring(items)));
    await Promise.all([...refused, ...[...byName.values()].flat().flatMap((item) => item.awaited)]);
    const paused = [...byName.keys()].some((name) => receptions.get(name)!.delivery.state.paused);
    const left = lefts.flat().map((item) => item.place.raw.offset);
    if (left.length === 0) {
      ahead.delete(at);
      return { left: undefined, paused };
    }
    const first = left.reduce((a, b) => (BigInt(a) < BigInt(b) ? a : b));
    const again = new Set(left);
    ahead.set(
      at,
      new Set(
        places.map(({ raw }) => raw.offset).filter((offset) => !again.has(offset) && BigInt(offset) > BigInt(first)),
      ),
    );
    return { left: first, paused };
  }

  return {
    work,
    oldest,
    forget(isOurs) {
      for (const at of [...oldest.keys()]) if (!isOurs(at)) oldest.delete(at);
    },
  };
}

/** The offset of the message before this one. */
function before(chunk: readonly KafkaMessage[], offset: string): string | undefined {
  return chunk[chunk.findIndex((message) => message.offset === offset) - 1]?.offset;
}
