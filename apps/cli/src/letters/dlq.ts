// The messages that somebody gave up on: lists them, shows one, brings them to their group again.
import { parseArgs } from 'node:util';
import { StartError } from '@landfall/runtime';
import type { Command } from '../command.ts';
import { reasonOf, UsageError } from '../usage-error.ts';
import type { Letters } from './letter.ts';
import { openLetters } from './letters.ts';
import { letterText, listText } from './print-letters.ts';

const help = `Messages that a handler or a listener gave up on. Sealed fields stay sealed.

  dlq list [group] [--all] [--json]     those that were not replayed yet; --all: all of them
  dlq show <group> <place> [--json]     everything about one
  dlq replay <group> <place …>          brings these to their group again, with the same ids
  dlq replay <group> --all              brings all that were not replayed yet

Over Kafka with KAFKA_BROKERS and whatever else the services are given to reach it. Without it the letters of npm start are
read, from DATABASE_URL or the PostgreSQL that runs in LANDFALL_DATA.`;

export const dlq: Command = {
  says: 'list, show and replay messages that were given up on',
  help,
  async run(args, env, print) {
    const { values, positionals } = parsed(args);
    const [action = '', group, ...places] = positionals;
    const { all = false, json = false } = values;
    const asked: Asked = { group, places, all, json };
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!act?.fits(asked)) throw new UsageError(undefined, help);
    const letters = openLetters(env);
    try {
      if (group !== undefined) await assertGroup(letters, group);
      print(await act.run(letters, asked));
      return 0;
    } finally {
      await letters.close();
    }
  },
};

interface Asked {
  group: string | undefined;
  places: readonly string[];
  all: boolean;
  json: boolean;
}

interface Action {
  fits(asked: Asked): boolean;
  run(letters: Letters, asked: Asked): Promise<string>;
}

const actions: Readonly<Record<string, Action>> = {
  list: {
    fits: ({ places }) => places.length === 0,
    async run(letters, { group, all, json }) {
      const groups = group === undefined ? await letters.groups() : [group];
      const found = [];
      for (const one of groups) found.push(...(await letters.list(one)));
      const shown = all ? found : found.filter(({ replayed }) => !replayed);
      return json ? JSON.stringify(shown, null, 2) : listText(shown, found.length - shown.length);
    },
  },
  show: {
    fits: ({ group, places, all }) => group !== undefined && places.length === 1 && !all,
    async run(letters, { group = '', places: [place], json }) {
      const letter = (await letters.list(group)).find((one) => one.place === place);
      if (!letter) throw noPlace(group, place!);
      return json ? JSON.stringify(letter, null, 2) : letterText(letter);
    },
  },
  replay: {
    fits: ({ group, places, all, json }) => group !== undefined && all === (places.length === 0) && !json,
    async run(letters, { group = '', places, all }) {
      // Before anything is replayed: one wrong place is more likely a mistake about all of them.
      const known = all ? [] : (await letters.list(group)).map(({ place }) => place);
      const wrong = all ? undefined : places.find((place) => !known.includes(place));
      if (wrong !== undefined) throw noPlace(group, wrong);
      const count = await letters.replay(group, all ? undefined : places);
      return `${count === 1 ? '1 message goes' : `${count} messages go`} to ${group} again.`;
    },
  },
};

function parsed(args: readonly string[]) {
  try {
    const options = { all: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(reasonOf(error), help);
  }
}

async function assertGroup(letters: Letters, group: string): Promise<void> {
  const groups = await letters.groups();
  if (groups.includes(group)) return;
  throw new StartError(
    `There is no group ${group} with dead letters: there is ${groups.length === 0 ? 'none' : groups.join(', ')}.`,
  );
}

const noPlace = (group: string, place: string) =>
  new StartError(`There is no letter at ${place} of ${group}: dlq list ${group} --all shows where they are.`);
