// Apps: make, see, change, and their plans.
import {
  App,
  AppSettings,
  AppSettingsChange,
  CreateApp,
  ListApps,
  Plan,
  SetPlan,
  subdomain,
  UpdateApp,
} from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { orRefuse, route } from '../route.ts';
import { appParams, appView, next, pageQuery, viewApp } from './manage-fields.ts';

const shared = { tag: 'manage', auth: 'owner', limit: 'manage' } as const;

export const createApp = route({
  ...shared,
  method: 'POST',
  path: '/api/manage/apps',
  name: 'createApp',
  summary: 'Make an app',
  body: AppSettings.extend({ name: App.shape.name, subdomain: subdomain() }),
  reply: z.object({ app: appView }),
  errors: ['SUBDOMAIN_TAKEN', 'SUBDOMAIN_RESERVED'],
  async handle({ body: { name, subdomain, ...settings } }, { bus, config }) {
    const { app } = orRefuse(await bus.ask(CreateApp, { name, subdomain, settings }));
    return { app: viewApp(app, config) };
  },
});

export const listApps = route({
  ...shared,
  method: 'GET',
  path: '/api/manage/apps',
  name: 'listApps',
  summary: 'List apps',
  query: pageQuery,
  reply: z.object({ apps: z.array(appView), next: next() }),
  errors: [],
  async handle({ query: { limit, cursor } }, { bus, config }) {
    const page = orRefuse(await bus.ask(ListApps, { limit, cursor: cursor ?? null }));
    return { apps: page.apps.map((app) => viewApp(app, config)), next: page.next };
  },
});

export const getApp = route({
  ...shared,
  method: 'GET',
  path: '/api/manage/apps/:appId',
  name: 'getApp',
  summary: 'See an app',
  params: appParams,
  reply: z.object({ app: appView }),
  errors: ['APP_NOT_FOUND'],
  async handle({ params: { appId } }, { lookups, config }) {
    const app = await lookups.app(appId);
    if (!app) throw new ApiError('APP_NOT_FOUND');
    return { app: viewApp(app, config) };
  },
});

export const updateApp = route({
  ...shared,
  method: 'PATCH',
  path: '/api/manage/apps/:appId',
  name: 'updateApp',
  summary: 'Change an app; what is left out stays as it is',
  params: appParams,
  body: AppSettingsChange.extend({ name: App.shape.name.optional(), subdomain: subdomain().optional() }),
  reply: z.object({ app: appView }),
  errors: ['APP_NOT_FOUND', 'SUBDOMAIN_TAKEN', 'SUBDOMAIN_RESERVED'],
  async handle({ params: { appId }, body: { name, subdomain, ...settings } }, { bus, config }) {
    const { app } = orRefuse(await bus.ask(UpdateApp, { appId, name, subdomain, settings }));
    return { app: viewApp(app, config) };
  },
});

export const setPlan = route({
  ...shared,
  method: 'PUT',
  path: '/api/manage/apps/:appId/plan',
  name: 'setPlan',
  summary: "Set an app's plan: its name and how many links it may generate in a month",
  params: appParams,
  body: Plan,
  reply: z.object({ app: appView }),
  errors: ['APP_NOT_FOUND'],
  async handle({ params: { appId }, body: plan }, { bus, config }) {
    const { app } = orRefuse(await bus.ask(SetPlan, { appId, plan }));
    return { app: viewApp(app, config) };
  },
});
