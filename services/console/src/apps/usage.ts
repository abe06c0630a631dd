// The route of an app's usage of its plan.
import { FindUsage, month } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { appParams } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { existingApp } from './existing-app.ts';

export const getUsage = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/usage',
  name: 'getUsage',
  summary: "Get the number of links that an app made in a month, and its plan's limit",
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: z.object({ month: month().optional().describe('In UTC. If omitted: the current month.') }),
  reply: z.object({
    month: month(),
    linksCreated: z.int(),
    limit: z.int().nullable().describe('The limit of the current plan. Null: no limit.'),
  }),
  errors: [],
  async handle({ params: { appId }, query: { month } }, { bus, lookups, now }) {
    const asked = month ?? now().toISOString().slice(0, 7);
    const [app, usage] = await Promise.all([existingApp(appId, lookups), bus.ask(FindUsage, { appId, month: asked })]);
    return { month: asked, linksCreated: orRefuse(usage).linksCreated, limit: app.plan.linksPerMonth };
  },
});
