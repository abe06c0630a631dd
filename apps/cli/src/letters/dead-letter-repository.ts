// Reads the dead letters of the one-process product from their table.
import type { StoredLetter } from '@landfall/bus';
import { connect, deadLetterGroups, readDeadLetters } from '@landfall/db';

export function deadLetterRepository(url: string) {
  const database = connect({ url, max: 1 });
  return {
    groups: (): Promise<string[]> => deadLetterGroups(database),
    async list(group: string): Promise<StoredLetter[]> {
      const letters = await readDeadLetters(database, group);
      return letters.map(({ id: place, ...letter }) => ({ place, ...letter }));
    },
    close: (): Promise<void> => database.close(),
  };
}
