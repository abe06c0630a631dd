import { isWaiting, type OperatorsDeadLetterBox } from '@landfall/bus';
import { noLog, openDeadLetters } from '@landfall/bus/kafka';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { type AddCommand, whileOpen } from '../command.ts';
import { databaseUrlOf } from '../database-url.ts';
import { deadLetterRepository } from './dead-letter-repository.ts';
import { letterText, listText } from './print-letters.ts';

const WHERE = `
Sealed fields stay sealed. Over Kafka the command needs KAFKA_BROKERS and the further variables with which the services reach
it. Without it the command reads the dead letters of npm start, from DATABASE_URL or the PostgreSQL in LANDFALL_DATA.`;

const DROP = `
A dropped letter stays until its time is over: dlq list --all shows it, and dlq replay with its place still sends it.`;

export const addDlq: AddCommand = (program, { env, print }) => {
  const command = program
    .command('dlq')
    .description('List, show, replay and drop dead letters: messages that failed too often.')
    .helpCommand(false)
    .addHelpText('after', WHERE);

  command
    .command('list')
    .description('Lists dead letters that were neither replayed nor dropped.')
    .argument('[group]')
    .option('--all', 'those that were replayed or dropped, too')
    .option('--json', 'show them as JSON')
    .action((group: string | undefined, { all = false, json = false }) =>
      within(group, async (letters) => {
        const groups = group === undefined ? await letters.groups() : [group];
        const found = [];
        for (const one of groups) found.push(...(await letters.list(one)));
        const shown = all ? found : found.filter(isWaiting);
        return json ? JSON.stringify(shown, null, 2) : listText(shown, found.length - shown.length);
      }),
    );

  command
    .command('show')
    .description('Shows one dead letter.')
    .argument('<group>')
    .argument('<place>')
    .option('--json', 'show it as JSON')
    .action((group: string, place: string, { json = false }) =>
      within(group, async (letters) => {
        const letter = (await letters.list(group)).find((one) => one.place === place);
        if (!letter) throw noPlace(group, place);
        return json ? JSON.stringify(letter, null, 2) : letterText(letter);
      }),
    );

  forChosen(
    command.command('replay').description('Sends dead letters to their group again, with the same ids.'),
    async (letters, group, places) => {
      const { replayed: count } = await letters.replay(group, places);
      return `${count === 1 ? '1 message goes' : `${count} messages go`} to ${group} again.`;
    },
  );

  forChosen(
    command
      .command('drop')
      .description('Marks dead letters that need nothing more: they are listed and counted no more.')
      .addHelpText('after', DROP),
    async (letters, group, places) => {
      const dropped = await letters.drop(group, places);
      const says = `Dropped ${dropped.length} dead ${dropped.length === 1 ? 'letter' : 'letters'} of ${group}`;
      return dropped.length === 0 ? `${says}.` : `${says}:\n${listText(dropped, 0)}`;
    },
  );

  /** Adds the arguments that choose letters of a group: their places, or --all. */
  function forChosen(
    sub: typeof command,
    act: (letters: OperatorsDeadLetterBox, group: string, places: readonly string[] | undefined) => Promise<string>,
  ): void {
    sub
      .argument('<group>')
      .argument('[place...]')
      .option('--all', 'all that were neither replayed nor dropped, instead of places')
      .action((group: string, places: readonly string[], { all = false }) => {
        if (all !== (places.length === 0))
          sub.error(all ? '--all and places exclude each other' : 'a place, or --all, is missing');
        return within(group, async (letters) => {
          // Checks all places before the first letter. If one place is wrong, the others are probably wrong too.
          const known = all ? [] : (await letters.list(group)).map(({ place }) => place);
          const wrong = all ? undefined : places.find((place) => !known.includes(place));
          if (wrong !== undefined) throw noPlace(group, wrong);
          return act(letters, group, all ? undefined : places);
        });
      });
  }

  const within = (group: string | undefined, act: (letters: OperatorsDeadLetterBox) => Promise<string>) =>
    whileOpen(env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE ? inKafka(env) : inDatabase(env), async (letters) => {
      if (group !== undefined) await assertGroup(letters, group);
      print(await act(letters));
    });
};

async function assertGroup(letters: OperatorsDeadLetterBox, group: string): Promise<void> {
  const groups = await letters.groups();
  if (groups.includes(group)) return;
  throw new StartError(
    `There is no group ${group} with dead letters: there is ${groups.length === 0 ? 'none' : groups.join(', ')}.`,
  );
}

const noPlace = (group: string, place: string) =>
  new StartError(`There is no letter at ${place} of ${group}: dlq list ${group} --all shows where they are.`);

function inKafka(env: NodeJS.ProcessEnv): OperatorsDeadLetterBox {
  const { connection, prefix } = kafkaOptions(readConfig(KafkaConfig, env));
  const box = openDeadLetters(connection, noLog, prefix);
  return {
    ...box,
    groups: () =>
      box.groups().catch((error: Error) => {
        throw new StartError(`The brokers of KAFKA_BROKERS do not answer: ${error.message}.`);
      }),
  };
}

function inDatabase(env: NodeJS.ProcessEnv): OperatorsDeadLetterBox {
  const url = databaseUrlOf(env, 'There are no letters to look for: set KAFKA_BROKERS or DATABASE_URL');
  const repository = deadLetterRepository(url);
  return {
    ...repository,
    groups: () =>
      repository.groups().catch((error: Error) => {
        throw new StartError(`The database does not show its dead letters: ${error.message}.`);
      }),
    async replay() {
      throw new StartError(
        'In one process only the running Landfall can replay: an owner of the instance does it in the web app, on the page Dead letters.',
      );
    },
  };
}
