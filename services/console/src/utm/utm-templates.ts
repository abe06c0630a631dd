// Routes of the templates of campaign values, so that people do not spell one campaign in two ways.
import { nameText, type UtmName } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { lockApp } from '../common/rights.ts';
import { found } from '../common/rows.ts';
import { manageRoute } from '../routing/route.ts';
import { type TemplateValues, UtmTemplate } from './utm-template-repository.ts';
import { utmValues } from './with-utm.ts';

/** The most templates of one app. */
const MAX_TEMPLATES = 200;

const templateName = () => nameText(100).describe('The name of the template.');
const values = () => utmValues.describe('The values that it sets. Null and `""`: none.');

const viewOf = UtmTemplate.extend({ utm: z.record(z.string(), z.string()) });

export const listUtmTemplates = manageRoute('GET /api/manage/apps/:appId/utm-templates', {
  summary: 'List the templates of campaign values of an app, by name',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ templates: z.array(viewOf) }),
  async handle({ params: { appId } }, { account, lookups }) {
    await lookups.existingApp(appId);
    return { templates: await account.utmTemplates.list(appId) };
  },
});

export const createUtmTemplate = manageRoute('POST /api/manage/apps/:appId/utm-templates', {
  summary: 'Create a template of campaign values',
  needs: { role: 'member', of: 'app' },
  body: z.object({ name: templateName(), utm: values() }),
  reply: z.object({ template: viewOf }),
  errors: ['TOO_MANY_UTM_TEMPLATES'],
  async handle({ params: { appId }, body, change }, { account }) {
    const template = await change('CreateUtmTemplate', async (at) => {
      const { tx, id, now } = at;
      const { teamId } = await lockApp(at, appId, 'member');
      if ((await account.utmTemplates.count(tx, appId)) >= MAX_TEMPLATES) throw new ApiError('TOO_MANY_UTM_TEMPLATES');
      const wanted = { name: body.name, utm: given(body.utm) };
      const template = await account.utmTemplates.insert(tx, { id, appId, ...wanted, now });
      return { subject: id, teamId, appId, after: wanted, done: template };
    });
    return { template };
  },
});

export const changeUtmTemplate = manageRoute('PATCH /api/manage/apps/:appId/utm-templates/:templateId', {
  summary: 'Change a template of campaign values; links that were made with it stay as they are',
  needs: { role: 'member', of: 'app' },
  body: z.object({ name: templateName().optional(), utm: values().optional() }),
  reply: z.object({ template: viewOf }),
  errors: ['UTM_TEMPLATE_NOT_FOUND'],
  async handle({ params: { appId, templateId }, body, change }, { account }) {
    const template = await change('ChangeUtmTemplate', async (at) => {
      const { tx } = at;
      const { teamId } = await lockApp(at, appId, 'member');
      const { name, utm } = await found(account.utmTemplates.find(tx, appId, templateId), 'UTM_TEMPLATE_NOT_FOUND');
      const wanted = { name: body.name ?? name, utm: body.utm === undefined ? utm : given(body.utm) };
      const template = await account.utmTemplates.change(tx, templateId, wanted);
      return { subject: templateId, teamId, appId, before: { name, utm }, after: wanted, done: template };
    });
    return { template };
  },
});

export const removeUtmTemplate = manageRoute('DELETE /api/manage/apps/:appId/utm-templates/:templateId', {
  summary: 'Remove a template of campaign values; links that were made with it stay as they are',
  needs: { role: 'member', of: 'app' },
  reply: z.object({}),
  errors: ['UTM_TEMPLATE_NOT_FOUND'],
  async handle({ params: { appId, templateId }, change }, { account }) {
    return change('RemoveUtmTemplate', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const { name, utm } = await found(account.utmTemplates.find(at.tx, appId, templateId), 'UTM_TEMPLATE_NOT_FOUND');
      await account.utmTemplates.remove(at.tx, templateId);
      return { subject: templateId, teamId, appId, before: { name, utm }, done: {} };
    });
  },
});

/** Throws 400 when the template would set nothing. */
function given(utm: z.output<typeof utmValues>): TemplateValues {
  const set = Object.entries(utm).filter(([, value]) => typeof value === 'string' && value !== '');
  if (set.length === 0)
    throw new ApiError('INVALID_REQUEST', [{ path: 'utm', message: 'must set one value at least' }]);
  return Object.fromEntries(set) as Partial<Record<UtmName, string>>;
}
