import type { App, paths } from '@landfall/api-client';
import { LONGEST_DAYS, WhatIfSettings } from '@landfall/contracts';
import { facts, table } from '../table.ts';
import { findApp, got } from './api.ts';
import { type Action, type Given, option, resource } from './resource.ts';

type Compared =
  paths['/api/manage/apps/{appId}/matching/what-if']['post']['responses'][200]['content']['application/json'];
type Settings = Partial<WhatIfSettings>;

const settingsOption = option('--set <name=value>', 'a setting to try; give it once for each').argParser(
  (value: string, before: string | undefined) => (before === undefined ? value : `${before},${value}`),
);

/** Reads `windowMinutes=60,existingUsers=false`. */
function settingsOf({ text: { set = '' }, wrong }: Given): Settings {
  const entries = set.split(',').filter((one) => one !== '');
  const given = entries.map((one) => {
    const [, name, value] = /^(\w+)=(\w+)$/.exec(one) ?? wrong(`--set must be like windowMinutes=60, not "${one}"`);
    if (!(name! in WhatIfSettings.shape)) {
      throw wrong(`--set ${name}: only ${Object.keys(WhatIfSettings.shape).join(', ')} can be tried`);
    }
    return [name, /^\d{1,9}$/.test(value!) ? Number(value) : value === 'true' || (value !== 'false' && value)];
  });
  const parsed = WhatIfSettings.partial().safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data as Settings;
  const [issue] = parsed.error.issues;
  throw wrong(`--set ${issue!.path.join('.')}: ${issue!.message}`);
}

function daysOf({ text: { days = `${LONGEST_DAYS}` }, wrong }: Given): number {
  const count = Number(days);
  if (Number.isInteger(count) && count >= 1 && count <= LONGEST_DAYS) return count;
  throw wrong(`--days must be a number from 1 to ${LONGEST_DAYS}, not "${days}"`);
}

const CUT = {
  rows: 'There are more decisions than one replay reads: the oldest are left out.',
  time: 'The replay took too long: the newest decisions are left out.',
};

function linesOf({ matching }: App, changed: Settings, { from, to, cut, ...compared }: Compared): string[] {
  const { decisions, given, truth, examples } = compared;
  const names = Object.keys(changed) as (keyof Settings)[];
  const tried = names.map((name) => ({ name, now: `${matching[name]}`, tried: `${changed[name]}` }));
  const rights = [
    { of: 'current', ...truth.current },
    { of: 'tried', ...truth.changed },
  ];
  return [
    ...(cut === null ? [] : [CUT[cut]]),
    ...facts({
      from,
      to,
      decisions: decisions.total,
      'without facts': decisions.withoutFacts,
      'facts do not reach': decisions.outOfReach,
      'got a link': given.before,
      'get a link': given.after,
      'newly given': given.newly,
      'no longer given': given.noLonger,
      'another link': given.otherLink,
    }),
    '',
    ...table(tried, { SETTING: ({ name }) => name, NOW: ({ now }) => now, TRIED: ({ tried }) => tried }),
    '',
    `Matching by address alone, where a token or an email tells the link (${truth.known} restores):`,
    ...table(rights, {
      SETTINGS: ({ of }) => of,
      RIGHT: ({ right }) => right,
      WRONG: ({ wrong }) => wrong,
      MISSED: ({ missed }) => missed,
    }),
    '',
    ...table(examples.slice(0, 20), {
      RESTORE: ({ restoreId }) => restoreId,
      TIME: ({ at }) => at,
      GOT: ({ before }) => before.reason,
      GETS: ({ after }) => after.reason,
    }),
  ];
}

const actions: readonly Action[] = [
  {
    name: 'what-if',
    places: ['<app>'],
    description: 'Shows which links other settings would have given in the last days. Changes nothing.',
    options: [settingsOption, option('--days <number>', `the last days, at most ${LONGEST_DAYS}`)],
    async run(given, api) {
      const [matching, days] = [settingsOf(given), daysOf(given)];
      const app = await findApp(api, given.places[0]!);
      const params = { path: { appId: app.id } };
      const answer = await got(
        api.POST('/api/manage/apps/{appId}/matching/what-if', { params, body: { matching, days } }),
      );
      return { json: answer, lines: linesOf(app, matching, answer) };
    },
  },
];

export const addMatching = resource('matching', 'Compare settings of matching.', actions);
