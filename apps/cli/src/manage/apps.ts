// Apps: seen, made, archived and brought back.
import { z } from 'zod';
import { facts, table } from '../table.ts';
import { type Api, AppView, findApp } from './api.ts';
import { type Action, resource, type Shown } from './resource.ts';

const reply = z.object({ app: AppView });

const shown = (answer: z.output<typeof reply>): Shown => {
  const { app } = answer;
  const { name, subdomain, teamId, linkHost, domains, plan, version, createdAt, archivedAt } = app;
  const lines = facts({
    id: app.id,
    name,
    subdomain,
    team: teamId,
    'link host': linkHost,
    domains: domains.join(', '),
    plan: `${plan.name}, ${plan.linksPerMonth === null ? 'any number of links' : `${plan.linksPerMonth} links a month`}`,
    'iOS app': app.ios.bundleId,
    'Android app': app.android.package,
    'web fallback': app.webFallbackUrl,
    'published parameters': app.publishedParameters.join(', '),
    made: createdAt,
    archived: archivedAt,
    version,
  });
  return { json: answer, lines };
};

const archiving = (archived: boolean) => async (places: readonly string[], api: Api) => {
  const { id } = await findApp(api, places[0]!);
  return shown(await api.ask(reply, 'PATCH', `/apps/${id}`, { archived }));
};

const actions: Readonly<Record<string, Action>> = {
  list: {
    usage: 'list [--archived | --all]',
    says: 'live ones; only archived ones; both',
    options: { archived: { type: 'boolean' }, all: { type: 'boolean' } },
    async run({ has, wrong }, api) {
      if (has('all') && has('archived')) throw wrong('--all and --archived exclude each other');
      const which = has('all') ? 'all' : has('archived') ? 'true' : 'false';
      const apps = await api.all(AppView, 'apps', `/apps?archived=${which}`);
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
  create: {
    usage: 'create <name> --subdomain <label> [--team <id>]',
    says: "without --team it is the first team's",
    options: { subdomain: { type: 'string' }, team: { type: 'string' } },
    needs: ['subdomain'],
    async run({ places: [name], text: { subdomain, team } }, api) {
      return shown(await api.ask(reply, 'POST', '/apps', { name, subdomain, ...(team && { teamId: team }) }));
    },
  },
  show: {
    usage: 'show <app>',
    says: 'everything about one',
    run: async ({ places }, api) => shown({ app: await findApp(api, places[0]!) }),
  },
  publish: {
    usage: 'publish <app> <parameters>',
    says: 'what events show of tapped queries besides utm_*, e.g. ref,table; "": nothing',
    async run({ places: [app, parameters] }, api) {
      const { id } = await findApp(api, app!);
      const publishedParameters = parameters!.split(',').filter((name) => name !== '');
      return shown(await api.ask(reply, 'PATCH', `/apps/${id}`, { publishedParameters }));
    },
  },
  archive: {
    usage: 'archive <app>',
    says: 'nothing of it is served; nothing is deleted',
    run: ({ places }, api) => archiving(true)(places, api),
  },
  unarchive: {
    usage: 'unarchive <app>',
    says: 'all of it is back',
    run: ({ places }, api) => archiving(false)(places, api),
  },
};

export const apps = resource('apps', 'list, make, archive and bring back apps', actions);
