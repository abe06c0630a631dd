import type { DeadLetter } from '@landfall/contracts';

/** Resolves once the letter is durable. After it rejected, the bus may call it again with the same letter. */
export type DeadLetterSink = (letter: DeadLetter) => Promise<void>;

export interface StoredLetter extends Omit<DeadLetter, 'data' | 'id'> {
  /** The position in the group: `partition:offset` in Kafka, a UUID in the database of one process. */
  readonly place: string;
  /** The content as JSON, or as text when it is not JSON. */
  readonly data: unknown;
  readonly replayed: boolean;
  /** True when somebody decided that the letter needs nothing more. It stays until its time is over. */
  readonly dropped: boolean;
  /** True while a replay of the letter goes on, in one process. */
  readonly replaying?: boolean;
  /** Only over Kafka: the topic, partition and offset where the message was first read. */
  readonly topic?: string;
  readonly partition?: number;
  readonly offset?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DeadLetterBox {
  /** Returns the groups that have dead letters, or had some. */
  groups(): Promise<string[]>;
  list(group: string): Promise<StoredLetter[]>;
  /**
   * Sends the letters at the places, or all waiting ones, to their group again: with the same ids, and without an
   * answer to their sender. Resolves within seconds: what is left goes on.
   */
  replay(group: string, places?: readonly string[]): Promise<Replay>;
  close(): Promise<void>;
}

export const isWaiting = ({ replayed, dropped }: Pick<StoredLetter, 'replayed' | 'dropped'>): boolean =>
  !replayed && !dropped;

export interface OperatorsDeadLetterBox extends DeadLetterBox {
  /** Drops the letters at the given places, or all that were not replayed. Returns those not dropped before. */
  drop(group: string, places?: readonly string[]): Promise<StoredLetter[]>;
}

export interface Replay {
  /** Over Kafka: sent, and durable. In one process: done. Letters that failed again are not counted. */
  readonly replayed: number;
  /** Still to do, in one process. */
  readonly running: number;
}
