// Plans: how many links an app may make in a month.
import type { App } from '@landfall/api-client';
import { facts } from '../table.ts';
import { type Api, findApp, got } from './api.ts';
import { type Action, type Given, needed, ofApp, resource, type Shown } from './resource.ts';

async function shown(api: Api, { id, subdomain, plan }: App): Promise<Shown> {
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

const actions: readonly Action[] = [
  {
    name: 'show',
    description: 'Shows the plan of an app, and its use this month.',
    options: [ofApp],
    run: async ({ text }, api) => shown(api, await findApp(api, text.app!)),
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
      return shown(api, app);
    },
  },
];

export const addPlans = resource('plans', 'See and set the plan of an app.', actions);
