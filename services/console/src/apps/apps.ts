import {
  AppSettings,
  CountLiveLinks,
  FindUsage,
  month,
  newTimeZone,
  nextCursor,
  Plan,
  readCursor,
  subdomain,
} from '@landfall/contracts';
import { etag, orRefuse } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { lockApp } from '../common/rights.ts';
import { appName, appView, id, next, pageQuery, viewApp } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { assertRole, lockTeam } from '../teams/membership.ts';
import { appChanged } from './changed-app.ts';
import { assertRoomForApp, makeApp } from './make-app.ts';
import { changePlan } from './update-app.ts';

export const createApp = manageRoute('POST /api/manage/apps', {
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
  async handle({ body: { teamId = null, name, subdomain, ...settings }, change, setHeader }, parts) {
    const app = await change('CreateApp', (at) =>
      makeApp(at, parts.rules, { id: at.id, teamId, name, subdomain, settings }),
    );
    setHeader('ETag', etag(app));
    return { app: viewApp(app, parts.config) };
  },
});

export const listApps = manageRoute('GET /api/manage/apps', {
  summary: 'List the apps of your teams. The operator and owners of the installation get all apps',
  needs: 'signed-in',
  query: pageQuery.extend({
    archived: z
      .enum(['false', 'true', 'all'])
      .default('false')
      .describe('`false`: only live apps. `true`: only archived apps.'),
  }),
  reply: z.object({ apps: z.array(appView), next: next() }),
  async handle({ caller, query: { limit, cursor, archived } }, { account, config }) {
    const of = { teamIds: teamsOf(caller), archived: archived === 'all' ? null : archived === 'true' };
    const apps = await account.apps.list(of, limit, readCursor(cursor));
    return {
      apps: apps.map((app) => viewApp(app, config)),
      next: nextCursor(apps, limit, (app) => app.createdAt),
    };
  },
});

/** Returns the teams whose apps are listed. Null means all. */
function teamsOf(caller: Caller): string[] | null {
  if (caller.kind === 'token' || caller.kind === 'visitor') return [caller.teamId];
  return caller.kind === 'operator' || caller.instanceOwner ? null : [...caller.roles.keys()];
}

export const getApp = manageRoute('GET /api/manage/apps/:appId', {
  summary: 'Get an app',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ app: appView }),
  async handle({ params: { appId }, setHeader }, { lookups, config }) {
    const app = await lookups.existingApp(appId);
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const setPlan = manageRoute('PUT /api/manage/apps/:appId/plan', {
  summary: "Set an app's plan: its name and its limit of generated links in a month",
  needs: { role: 'instance-owner', of: 'app' },
  body: Plan,
  reply: z.object({ app: appView }),
  async handle({ params: { appId }, body: plan, change, setHeader }, { config }) {
    const app = await change('SetPlan', (at) => changePlan(at, appId, plan));
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const countLinks = manageRoute('GET /api/manage/apps/:appId/links/count', {
  summary: 'Count the links of an app that work now: so many stop when it is archived',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ live: z.int().describe('Links that are neither archived nor expired.') }),
  handle: ({ params: { appId } }, { forward }) => forward(CountLiveLinks, { appId }),
});

export const transferApp = manageRoute('POST /api/manage/apps/:appId/transfer', {
  summary: 'Transfer an app to another team, in which you must also be an owner',
  needs: [
    { role: 'owner', of: 'app' },
    { role: 'owner', of: 'team', in: 'body' },
  ],
  body: z.object({ teamId: id() }),
  reply: z.object({ teamId: z.uuid() }),
  errors: ['TOO_MANY_APPS'],
  async handle({ params: { appId }, body: { teamId }, change }, { rules }) {
    return change('TransferApp', async (at) => {
      const { teamId: from } = await lockApp(at, appId, 'owner');
      const { members } = await lockTeam(at, teamId);
      assertRole(members, at.actor, 'owner');
      if (from !== teamId) await assertRoomForApp(at, rules, teamId);
      const app = await at.account.apps.change(at.tx, appId, { teamId });
      const said = { subject: appId, appId, before: { teamId: from }, after: { teamId } };
      return {
        ...said,
        teamId,
        // The audit log of both teams gets an entry.
        also: from === teamId ? [] : [{ ...said, teamId: from }],
        done: { teamId },
        events: [await appChanged(at, app)],
      };
    });
  },
});

export const getUsage = manageRoute('GET /api/manage/apps/:appId/usage', {
  summary: "Get the number of links that an app made in a month; also its plan's limit",
  needs: { role: 'viewer', of: 'app' },
  query: z.object({ month: month().optional().describe('In UTC. If omitted: the current month.') }),
  reply: z.object({
    month: month(),
    linksCreated: z.int(),
    limit: z.int().nullable().describe('The limit of the current plan. Null: no limit.'),
  }),
  async handle({ params: { appId }, query: { month } }, { bus, lookups, now }) {
    const asked = month ?? now().toISOString().slice(0, 7);
    const [app, usage] = await Promise.all([lookups.existingApp(appId), bus.ask(FindUsage, { appId, month: asked })]);
    return { month: asked, linksCreated: orRefuse(usage).linksCreated, limit: app.plan.linksPerMonth };
  },
});
