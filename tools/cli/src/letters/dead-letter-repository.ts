// Reads the dead letters of the one-process product from their table, and marks those that are dropped.
import type { StoredLetter } from '@landfall/bus';
import { connect, deadLetterGroups, dropDeadLetters, readDeadLetters } from '@landfall/db';

export function deadLetterRepository(url: string) {
  const database = connect({ url, max: 1 });
  return {
    groups: (): Promise<string[]> => deadLetterGroups(database),
    async list(group: string): Promise<StoredLetter[]> {
      return (await readDeadLetters(database, group)).map(stored);
    },
    async drop(group: string, places?: readonly string[]): Promise<StoredLetter[]> {
      return (await dropDeadLetters(database, group, places, new Date())).map(stored);
    },
    close: (): Promise<void> => database.close(),
  };
}

const stored = ({ id: place, ...letter }: Awaited<ReturnType<typeof readDeadLetters>>[number]): StoredLetter => ({
  place,
  ...letter,
});
