// The offsets of one consumer group that are done and not committed yet.
import type { Consumer } from 'kafkajs';
import type { Log } from '../../log.ts';
import { nameOf } from './partition-work.ts';

export interface Offsets {
  /** Remembers that all messages of the partition are done, up to this offset. */
  done(place: { topic: string; partition: number }, offset: string): void;
  /** Returns true when there are offsets to commit. */
  waiting(): boolean;
  /** Forgets all offsets, after a rebalance. Another process may have committed later ones. */
  forget(): void;
  /** Commits the offsets. Never rejects: offsets that fail are committed next time. */
  commit(consumer: Consumer | undefined): Promise<void>;
}

/** @param isAssigned returns true when the partition, as `topic/partition`, belongs to this process */
export function createOffsets(groupId: string, isAssigned: (at: string) => boolean, log: Log): Offsets {
  /** By `topic/partition`. */
  let uncommitted = new Map<string, { topic: string; partition: number; offset: string }>();

  return {
    done({ topic, partition }, offset) {
      uncommitted.set(nameOf({ topic, partition }), { topic, partition, offset: `${BigInt(offset) + 1n}` });
    },
    waiting: () => uncommitted.size > 0,
    forget() {
      uncommitted = new Map();
    },
    async commit(consumer) {
      if (uncommitted.size === 0) return;
      const offsets = uncommitted;
      uncommitted = new Map();
      try {
        await consumer!.commitOffsets([...offsets.values()]);
      } catch (error) {
        // The next commit retries these offsets. After a restart before that commit, these messages are redelivered.
        for (const [at, offset] of offsets) if (isAssigned(at) && !uncommitted.has(at)) uncommitted.set(at, offset);
        log.debug({ group: groupId, err: error }, 'kafka: offsets were not committed');
      }
    },
  };
}
