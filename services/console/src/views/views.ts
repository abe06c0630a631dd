// Routes of saved views. What a view holds opens nothing: it is the search of an address.
import { nameText, text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Changing } from '../changes/change.ts';
import { lockApp } from '../common/rights.ts';
import { manageRoute } from '../routing/route.ts';
import { MOST_OF_QUERY, View, viewPages } from './view-repository.ts';

/** The most views of one person in an app, and of its team. */
const MAX_VIEWS = 100;

const viewName = () => nameText(100).describe('The name of the view.');
const query = () =>
  text(MOST_OF_QUERY)
    .regex(/^[^#\s]*$/, 'must be the search of an address')
    .describe("The search of the page's address, without `?`.");
const views = z.object({ view: View });

const ownerOf = (caller: Caller): string | null => ('userId' in caller ? caller.userId : null);

export const listViews = manageRoute('GET /api/manage/apps/:appId/views', {
  summary: 'List the saved views of an app by name: your own and those of the team',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ views: z.array(View) }),
  async handle({ params: { appId }, caller }, { account, lookups }) {
    await lookups.existingApp(appId);
    return { views: await account.views.list(appId, ownerOf(caller)) };
  },
});

export const createView = manageRoute('POST /api/manage/apps/:appId/views', {
  summary: 'Save what a page shows, for yourself or for the team',
  // Own views change nothing for others. The transaction asks for more for those of the team.
  needs: ['person', { role: 'viewer', of: 'app' }],
  body: z.object({
    name: viewName(),
    page: z.enum(viewPages),
    query: query(),
    shared: z.boolean().default(false).describe('True: all who see the app have it. It needs the role member.'),
  }),
  reply: views,
  errors: ['TOO_MANY_VIEWS'],
  async handle({ params: { appId }, body: { shared, ...wanted }, caller, change }, { account }) {
    const owner = shared ? null : caller.userId;
    const view = await change('CreateView', async (at) => {
      const { tx, id, actor, now } = at;
      const { teamId } = await lockApp(at, appId, owner === null ? 'member' : 'viewer');
      if ((await account.views.count(tx, appId, owner)) >= MAX_VIEWS) throw new ApiError('TOO_MANY_VIEWS');
      const view = await account.views.insert(tx, { id, appId, owner, ...wanted, createdBy: actor.userId, now });
      return { subject: id, teamId, appId, after: { ...wanted, shared: owner === null }, done: view };
    });
    return { view };
  },
});

export const changeView = manageRoute('PATCH /api/manage/apps/:appId/views/:viewId', {
  summary: 'Rename a saved view, or save what the page shows now',
  needs: ['person', { role: 'viewer', of: 'app' }],
  body: z.object({ name: viewName().optional(), query: query().optional() }),
  reply: views,
  errors: ['VIEW_NOT_FOUND'],
  async handle({ params: { appId, viewId }, body, change }, { account }) {
    const view = await change('ChangeView', async (at) => {
      const { view: before, teamId } = await lockView(at, appId, viewId);
      const view = await account.views.change(at.tx, viewId, body);
      return { subject: viewId, teamId, appId, before: noted(before), after: noted(view), done: view };
    });
    return { view };
  },
});

export const removeView = manageRoute('DELETE /api/manage/apps/:appId/views/:viewId', {
  summary: 'Delete a saved view',
  needs: ['person', { role: 'viewer', of: 'app' }],
  reply: z.object({}),
  errors: ['VIEW_NOT_FOUND'],
  async handle({ params: { appId, viewId }, change }, { account }) {
    return change('RemoveView', async (at) => {
      const { view, teamId } = await lockView(at, appId, viewId);
      await account.views.remove(at.tx, viewId);
      return { subject: viewId, teamId, appId, before: noted(view), done: {} };
    });
  },
});

const noted = ({ name, page, query }: View) => ({ name, page, query });

/** @throws ApiError VIEW_NOT_FOUND also for a view of another person, FORBIDDEN for one of the team without its role */
async function lockView(at: Changing, appId: string, id: string): Promise<{ view: View; teamId: string | null }> {
  await lockApp(at, appId, 'viewer');
  const view = await at.account.views.find(at.tx, appId, id);
  if (!view || (view.owner !== null && view.owner !== at.actor.userId)) throw new ApiError('VIEW_NOT_FOUND');
  const { teamId } = await lockApp(at, appId, view.owner === null ? 'member' : 'viewer');
  return { view, teamId };
}
