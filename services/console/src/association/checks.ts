// The route that checks what phones need of an app.
import { appleAppSiteAssociation, assetLinks, ownHosts } from '@landfall/gateway';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { existingApp } from '../apps/existing-app.ts';
import { appParams } from '../routes/manage-fields.ts';
import { manageRoute, type Uses } from '../routing/route.ts';
import { CHECK_STATES, checksOf } from './app-checks.ts';
import { AssociationCheck } from './association-check.ts';
import { getFile } from './get-file.ts';
import { checkAndStore } from './monitor.ts';

export const checkApp = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/checks',
  name: 'checkApp',
  summary:
    'Check what phones need of an app: its settings, https, and the association files on its hosts, as this gateway sees them. It takes up to five seconds. A result is given again for half a minute, unless the app changes',
  needs: { role: 'viewer', of: 'app' },
  limit: 'checks',
  params: appParams,
  reply: z.object({
    findings: z.array(
      z.object({
        check: z.enum([
          'https',
          'ios-settings',
          'android-settings',
          'ios-store',
          'android-store',
          'apple-file',
          'google-file',
          'apple-copy',
          'google-copy',
        ]),
        state: z.enum(CHECK_STATES),
        host: z.string().nullable().describe('The host of a file. Null for settings.'),
        detail: z.string().describe('What was found, in a sentence.'),
        fix: z.string().nullable().describe('What to do about it. Null when all is well.'),
      }),
    ),
    files: z.object({
      apple: z.string().nullable().describe('The content of apple-app-site-association. Null: there is none.'),
      google: z.string().nullable().describe('The content of assetlinks.json. Null: there is none.'),
    }),
    regular: AssociationCheck.nullable().describe(
      'The last regular check of the hosts, which runs once an hour (`ASSOCIATION_CHECKS`). Null: there was none yet.',
    ),
  }),
  errors: [],
  async handle({ params: { appId } }, { lookups, config, account, checks }) {
    const app = await existingApp(appId, lookups);
    const { protocol: scheme } = new URL(config.PUBLIC_URL);
    const shown = (file: object | null) => file && JSON.stringify(file, null, 2);
    return {
      findings: await checks.seen.of(app, () => checksOf({ app, scheme, hosts: ownHosts(app, config), get: getFile })),
      files: { apple: shown(appleAppSiteAssociation(app)), google: shown(assetLinks(app)) },
      regular: await account.association.find(appId),
    };
  },
});

export const checkHostsNow = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/checks',
  name: 'checkHostsNow',
  summary:
    'Check the association files on the hosts of an app now, and store the result as the regular check does. It takes up to ten seconds',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  params: appParams,
  reply: z.object({ check: AssociationCheck }),
  errors: [],
  async handle(
    { params: { appId }, change },
    parts: Uses<'lookups' | 'config' | 'account' | 'telling' | 'log' | 'now' | 'associationChecked' | 'checks'>,
  ) {
    const app = await existingApp(appId, parts.lookups);
    await change('CheckHosts', async () => ({ subject: appId, teamId: app.teamId, appId, done: {} }));
    const check = await parts.checks.stored.of(app, () =>
      checkAndStore(app, { ...parts, checked: parts.associationChecked, get: getFile }),
    );
    if (!check) throw new ApiError('APP_NOT_FOUND');
    return { check };
  },
});
