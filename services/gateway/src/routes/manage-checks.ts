// The route that checks what phones need of an app.
import { z } from 'zod';
import { CHECK_STATES, checksOf } from '../link-host/app-checks.ts';
import { appleAppSiteAssociation, assetLinks } from '../link-host/association-files.ts';
import { manageRoute } from '../routing/route.ts';
import { existingApp } from './existing-app.ts';
import { ownHosts } from './link-view.ts';
import { appParams } from './manage-fields.ts';

export const checkApp = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/checks',
  name: 'checkApp',
  summary:
    'Check what phones need of an app: its settings, https, and the association files on its hosts, as this gateway sees them. It takes up to five seconds',
  needs: { role: 'viewer', of: 'app' },
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
  }),
  errors: [],
  async handle({ params: { appId } }, { lookups, config }) {
    const app = await existingApp(appId, lookups);
    const { protocol: scheme } = new URL(config.PUBLIC_URL);
    const shown = (file: object | null) => file && JSON.stringify(file, null, 2);
    return {
      findings: await checksOf({ app, scheme, hosts: ownHosts(app, config), fetch }),
      files: { apple: shown(appleAppSiteAssociation(app)), google: shown(assetLinks(app)) },
    };
  },
});
