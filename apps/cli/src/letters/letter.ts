// A dead letter as the commands show it, from Kafka or from the database.
import type { StoredLetter } from '@landfall/bus/kafka';

type OfKafka = 'topic' | 'partition' | 'offset' | 'headers';

/** `place` is the position in the group: `partition:offset` in Kafka, a UUID in the database. */
export type Letter = Omit<StoredLetter, OfKafka> & Partial<Pick<StoredLetter, OfKafka>>;

export interface Letters {
  groups(): Promise<string[]>;
  /** Lists the dead letters of a group, oldest first. */
  list(group: string): Promise<Letter[]>;
  /**
   * Replays the letters at the places. Without places, replays all letters that were not replayed yet. Resolves with
   * the number of replayed letters.
   */
  replay(group: string, places?: readonly string[]): Promise<number>;
  close(): Promise<void>;
}
