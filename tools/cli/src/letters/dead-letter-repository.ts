import { connect, deadLetterGroups, dropDeadLetters, readDeadLetters } from '@landfall/db';

export function deadLetterRepository(url: string) {
  const database = connect({ url, max: 1 });
  return {
    groups: () => deadLetterGroups(database),
    list: (group: string) => readDeadLetters(database, group),
    drop: (group: string, places?: readonly string[]) => dropDeadLetters(database, group, places, new Date()),
    close: () => database.close(),
  };
}
