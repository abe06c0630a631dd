// Reads the dead letters of the one-process product from their table.
import { connect, deadLetterGroups, readDeadLetters } from '@landfall/db';
import type { Letter } from './letter.ts';

export function deadLetterRepository(url: string) {
  const database = connect({ url, max: 1 });
  return {
    groups: (): Promise<string[]> => deadLetterGroups(database),
    async list(group: string): Promise<Letter[]> {
      const letters = await readDeadLetters(database, group);
      return letters.map(({ id: place, ...letter }) => ({ place, ...letter, replayed: false }));
    },
    close: (): Promise<void> => database.close(),
  };
}
