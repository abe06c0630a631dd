import type { App, paths } from '@landfall/api-client';
import { facts, table } from '../table.ts';
import { type Api, findApp, got, listApps } from './api.ts';
import { type Action, type Given, needed, ofApp, option, resource, type Shown } from './resource.ts';

const shown = (answer: { app: App }): Shown => {
  const { app } = answer;
  const { name, subdomain, teamId, linkHost, openHost, domains, plan, version, createdAt, archivedAt } = app;
  const lines = facts({
    id: app.id,
    name,
    subdomain,
    team: teamId,
    'link host': linkHost,
    'open host': openHost,
    domains: domains.join(', '),
    plan: `${plan.name}, ${plan.linksPerMonth === null ? 'any number of links' : `${plan.linksPerMonth} links a month`}`,
    'iOS app': app.ios.bundleId,
    'Android app': app.android.package,
    'web fallback': app.webFallbackUrl,
    'published parameters': app.publishedParameters.join(', '),
    labels: app.labels.join(', '),
    'time zone': app.timeZone,
    '/try': app.publicTry ? 'for everyone' : 'for members',
    'users before Landfall': app.matching.existingUsers ? 'perhaps' : 'none',
    made: createdAt,
    archived: archivedAt,
    version,
  });
  return { json: answer, lines };
};

const APP = '/api/manage/apps/{appId}';
type Change = NonNullable<paths[typeof APP]['patch']['requestBody']>['content']['application/json'];

async function change(api: Api, app: string, body: Change): Promise<Shown> {
  const { id: appId } = await findApp(api, app);
  return shown(await got(api.PATCH(APP, { params: { path: { appId } }, body })));
}

/**
 * A token of a person acts in one team, and the API wants its id. The operator has no team, and the API takes the
 * first one of the installation.
 */
const ownTeam = async (api: Api): Promise<string | undefined> => (await got(api.GET('/api/manage/me'))).teams[0]?.id;

/** An empty text is an empty list. */
const listOf = (names: string): string[] => names.split(',').filter((name) => name !== '');

const actions: readonly Action[] = [
  {
    name: 'list',
    description: 'Lists live apps.',
    options: [option('--archived', 'only archived ones').conflicts('all'), option('--all', 'archived ones, too')],
    async run({ has }, api) {
      const which = has('all') ? 'all' : has('archived') ? 'true' : 'false';
      const apps = await listApps(api, which);
      const lines = table(apps, {
        ID: ({ id }) => id,
        SUBDOMAIN: ({ subdomain }) => subdomain,
        NAME: ({ name }) => name,
        'LINK HOST': ({ linkHost }) => linkHost,
        PLAN: ({ plan }) => plan.name,
        MADE: ({ createdAt }) => createdAt,
        ARCHIVED: ({ archivedAt }) => archivedAt,
      });
      return { json: { apps }, lines };
    },
  },
  {
    name: 'create',
    places: ['<name>'],
    description:
      'Makes an app. Without --team it belongs to the team of the token, and that of the operator to the first team.',
    options: [
      needed('--subdomain <label>', 'its links live at <label>.<LINK_DOMAIN>'),
      option('--team <id>', 'the team that it belongs to'),
      option('--new', 'nobody had the app before it used Landfall: matching.existingUsers is false'),
    ],
    async run({ places: [name], text: { subdomain, team }, has }, api) {
      const teamId = team ?? (await ownTeam(api));
      const matching = has('new') ? { matching: { existingUsers: false } } : {};
      const body = { name: name!, subdomain: subdomain!, ...(teamId && { teamId }), ...matching };
      return shown(await got(api.POST('/api/manage/apps', { body })));
    },
  },
  {
    name: 'show',
    places: ['<app>'],
    description: 'Shows an app.',
    run: async ({ places }, api) => shown({ app: await findApp(api, places[0]!) }),
  },
  {
    name: 'publish',
    places: ['<app>', '<parameters>'],
    description: 'Publishes parameters of tapped URLs with events, besides utm_*: ref,table. "" publishes none.',
    run: ({ places: [app, parameters] }, api) => change(api, app!, { publishedParameters: listOf(parameters!) }),
  },
  {
    name: 'label',
    places: ['<app>', '<keys>'],
    description: 'Sends these metadata keys of links with events, as labels: inviter,campaign. "" sends none.',
    run: ({ places: [app, keys] }, api) => change(api, app!, { labels: listOf(keys!) }),
  },
  {
    name: 'time-zone',
    places: ['<app>', '<zone>'],
    description: 'Sets the time zone of the figures of an app: Asia/Kolkata.',
    run: ({ places: [app, timeZone] }, api) => change(api, app!, { timeZone }),
  },
  {
    name: 'public-try',
    places: ['<app>', '<on|off>'],
    description: 'Lets everyone see at /try what taps on links of an app do, or only members.',
    run({ places: [app, given], wrong }, api) {
      if (given !== 'on' && given !== 'off') wrong('Say on or off.');
      return change(api, app!, { publicTry: given === 'on' });
    },
  },
  {
    name: 'archive',
    places: ['<app>'],
    description: 'Stops serving an app. Nothing is deleted.',
    run: ({ places: [app] }, api) => change(api, app!, { archived: true }),
  },
  {
    name: 'unarchive',
    places: ['<app>'],
    description: 'Serves an archived app again.',
    run: ({ places: [app] }, api) => change(api, app!, { archived: false }),
  },
];

export const addApps = resource('apps', 'List, make, archive and bring back apps.', actions);

async function shownPlan(api: Api, { id, subdomain, plan }: App): Promise<Shown> {
  const usage = await got(api.GET('/api/manage/apps/{appId}/usage', { params: { path: { appId: id } } }));
  const lines = facts({
    app: subdomain,
    plan: plan.name,
    'links a month': plan.linksPerMonth ?? 'any number',
    [`made in ${usage.month}`]: usage.linksCreated,
  });
  return { json: { appId: id, plan, usage }, lines };
}

function linksOf({ text: { links }, wrong }: Given): number | null {
  if (links === 'unlimited') return null;
  if (/^\d{1,10}$/.test(links!)) return Number(links);
  throw wrong(`--links must be a number or "unlimited", not "${links}"`);
}

const planActions: readonly Action[] = [
  {
    name: 'show',
    description: 'Shows the plan of an app, and its use this month.',
    options: [ofApp],
    run: async ({ text }, api) => shownPlan(api, await findApp(api, text.app!)),
  },
  {
    name: 'set',
    description: 'Sets the plan of an app.',
    options: [
      ofApp,
      needed('--name <text>', 'the name of the plan'),
      needed('--links <number>', 'links a month, or "unlimited"'),
    ],
    async run(given, api) {
      const body = { name: given.text.name!, linksPerMonth: linksOf(given) };
      const { id: appId } = await findApp(api, given.text.app!);
      const { app } = await got(api.PUT('/api/manage/apps/{appId}/plan', { params: { path: { appId } }, body }));
      return shownPlan(api, app);
    },
  },
];

export const addPlans = resource('plans', 'See and set the plan of an app.', planActions);
