// Routes of apps: create, read, change, transfer, and set the plan.
import {
  AppSettings,
  AppSettingsChange,
  CreateApp,
  domainName,
  ListApps,
  newTimeZone,
  Plan,
  SetPlan,
  subdomain,
  TransferApp,
  UpdateApp,
} from '@landfall/contracts';
import { z } from 'zod';
import type { Caller } from '../access/principal.ts';
import { askIfMatch, etag, ifMatchHeader } from '../http/etags.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { existingApp } from './existing-app.ts';
import { appName, appParams, appView, id, next, pageQuery, viewApp } from './manage-fields.ts';

export const createApp = manageRoute({
  method: 'POST',
  path: '/api/manage/apps',
  name: 'createApp',
  summary: 'Create an app',
  needs: { role: 'admin', of: 'team', in: 'body' },
  body: AppSettings.extend({
    teamId: id().optional().describe('The team of the app. The operator may omit it.'),
    name: appName(),
    subdomain: subdomain(),
    timeZone: newTimeZone().default('UTC'),
  }),
  reply: z.object({ app: appView }),
  errors: ['SUBDOMAIN_TAKEN', 'SUBDOMAIN_RESERVED', 'TOO_MANY_APPS', 'IDENTITY_SECRET_NEEDED'],
  async handle({ actor, body: { teamId, name, subdomain, ...settings }, setHeader }, { bus, config }) {
    const command = { actor: actor(), teamId: teamId ?? null, name, subdomain, settings };
    const { app } = orRefuse(await bus.ask(CreateApp, command));
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const listApps = manageRoute({
  method: 'GET',
  path: '/api/manage/apps',
  name: 'listApps',
  summary: 'List the apps of your teams. The operator and owners of the installation get all apps',
  needs: 'signed-in',
  query: pageQuery.extend({
    archived: z
      .enum(['false', 'true', 'all'])
      .default('false')
      .describe('`false`: only live apps. `true`: only archived apps.'),
  }),
  reply: z.object({ apps: z.array(appView), next: next() }),
  errors: [],
  async handle({ caller, query: { limit, cursor = null, archived } }, { bus, config }) {
    const of = { teamIds: teamsOf(caller), archived: archived === 'all' ? null : archived === 'true' };
    const page = orRefuse(await bus.ask(ListApps, { ...of, limit, cursor }));
    return { apps: page.apps.map((app) => viewApp(app, config)), next: page.next };
  },
});

/** Returns the teams whose apps are listed. Null means all. */
function teamsOf(caller: Caller): string[] | null {
  if (caller.kind === 'token' || caller.kind === 'visitor') return [caller.teamId];
  return caller.kind === 'operator' || caller.instanceOwner ? null : [...caller.roles.keys()];
}

export const getApp = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId',
  name: 'getApp',
  summary: 'Get an app',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  reply: z.object({ app: appView }),
  errors: [],
  async handle({ params: { appId }, setHeader }, { lookups, config }) {
    const app = await existingApp(appId, lookups);
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const updateApp = manageRoute({
  method: 'PATCH',
  path: '/api/manage/apps/:appId',
  name: 'updateApp',
  summary: 'Change an app, archive it or restore it; omitted fields do not change',
  needs: { role: 'admin', of: 'app' },
  params: appParams,
  headers: ifMatchHeader,
  body: AppSettingsChange.extend({
    name: appName().optional(),
    subdomain: subdomain().optional(),
    primaryDomain: domainName()
      .nullable()
      .optional()
      .describe('A verified domain of the app for its new links. Null: the subdomain.'),
    archived: z
      .boolean()
      .optional()
      .describe('An archived app is not served, and nothing is deleted. `false` restores it.'),
  }),
  reply: z.object({ app: appView }),
  errors: [
    'SUBDOMAIN_TAKEN',
    'SUBDOMAIN_RESERVED',
    'TOO_MANY_SUBDOMAINS',
    'IDENTITY_SECRET_NEEDED',
    'DOMAIN_NOT_VERIFIED',
    'VERSION_MISMATCH',
  ],
  async handle({ actor, params: { appId }, body, headers, setHeader }, { bus, lookups, config }) {
    const { name, subdomain, primaryDomain, archived, ...settings } = body;
    const command = { actor: actor(), appId, name, subdomain, primaryDomain, archived, settings };
    const update = (ifVersion: number | null) => bus.ask(UpdateApp, { ...command, ifVersion });
    const { app } = orRefuse(await askIfMatch(headers, update));
    lookups.forgetApp(appId);
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const setPlan = manageRoute({
  method: 'PUT',
  path: '/api/manage/apps/:appId/plan',
  name: 'setPlan',
  summary: "Set an app's plan: its name and its limit of generated links in a month",
  needs: { role: 'instance-owner', of: 'app' },
  params: appParams,
  body: Plan,
  reply: z.object({ app: appView }),
  errors: [],
  async handle({ actor, params: { appId }, body: plan, setHeader }, { bus, lookups, config }) {
    const { app } = orRefuse(await bus.ask(SetPlan, { actor: actor(), appId, plan }));
    lookups.forgetApp(appId);
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const transferApp = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/transfer',
  name: 'transferApp',
  summary: 'Transfer an app to another team, in which you must also be an owner',
  needs: [
    { role: 'owner', of: 'app' },
    { role: 'owner', of: 'team', in: 'body' },
  ],
  params: appParams,
  body: z.object({ teamId: id() }),
  reply: z.object({ teamId: z.uuid() }),
  errors: ['TOO_MANY_APPS'],
  async handle({ actor, params: { appId }, body: { teamId } }, { bus, lookups }) {
    const transferred = orRefuse(await bus.ask(TransferApp, { actor: actor(), appId, teamId }));
    lookups.forgetApp(appId);
    return transferred;
  },
});
