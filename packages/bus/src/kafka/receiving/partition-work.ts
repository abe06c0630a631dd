// Hands the messages that one fetch returned for a partition to the receivers, and reports the offsets that are done.
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { PAUSE_MS } from '../../delivery.ts';
import { type Found, type Place, readHeaders } from '../wire.ts';
import type { Arrived, Reception } from './receivers.ts';

export interface PartitionWorkOptions {
  receptions: ReadonlyMap<string, Reception>;
  /** Returns true when a topic may hold messages for other groups. Such messages are skipped. */
  othersIn(topic: string): boolean;
  maxBatch: number;
  /** Gives up on a message that cannot be read. Resolves once the dead letter, if the group keeps one, is durable. */
  refuse(place: Place, reason: string, found: Found): Promise<void>;
  /** Called when all messages up to and including this offset are done, and their results are durable. */
  done(at: TopicPartition, offset: string): void;
}

export interface TopicPartition {
  topic: string;
  partition: number;
}

/** Milliseconds that a partition rests when its infrastructure fails. */
const REST_MS = 1_000;

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

export function createPartitionWork(options: PartitionWorkOptions) {
  const { receptions, othersIn, maxBatch, refuse, done } = options;
  /** Offsets that are done although an earlier offset is not. This process does not handle them again. */
  const ahead = new Map<string, Set<string>>();
  /** The write time of the oldest fetched message that is not done, by `topic/partition`; milliseconds since 1970. */
  const oldest = new Map<string, number>();

  /** Returns the milliseconds that the partition rests before it is fetched again from what is left. 0: no rest. */
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

  /** Returns the offset of the first message that is not done. The results of all others are durable. */
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
    const offsets = places.map(({ raw }) => raw.offset);
    ahead.set(at, new Set(offsets.filter((offset) => !again.has(offset) && BigInt(offset) > BigInt(first))));
    return { left: first, paused };
  }

  return {
    work,
    oldest,
    /** Forgets the partitions that are no longer assigned to this process. */
    forget(isOurs: (at: string) => boolean): void {
      for (const at of [...oldest.keys()]) if (!isOurs(at)) oldest.delete(at);
    },
  };
}

function before(chunk: readonly KafkaMessage[], offset: string): string | undefined {
  return chunk[chunk.findIndex((message) => message.offset === offset) - 1]?.offset;
}
