// A dead letter as the commands show it, wherever it is kept.
import type { StoredLetter } from '@landfall/bus/kafka';

type OfKafka = 'topic' | 'partition' | 'offset' | 'headers';

/** `place` is where it lies within its group: `partition:offset` in Kafka, a UUID in the database. */
export type Letter = Omit<StoredLetter, OfKafka> & Partial<Pick<StoredLetter, OfKafka>>;

export interface Letters {
  groups(): Promise<string[]>;
  /** A group's letters, oldest first. */
  list(group: string): Promise<Letter[]>;
  /** Those of the places, or all that were not replayed yet. Resolves with how many. */
  replay(group: string, places?: readonly string[]): Promise<number>;
  close(): Promise<void>;
}
