import { appleAppSiteAssociation, assetLinks, isSimulated, ownHosts } from '@landfall/gateway';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import { checksOf, Finding } from './app-checks.ts';
import { AssociationCheck } from './association-repository.ts';
import { getFile } from './get-file.ts';
import { checkAndStore } from './monitor.ts';

export const checkApp = manageRoute('GET /api/manage/apps/:appId/checks', {
  summary:
    'Check what phones need of an app: its settings, https, and the association files on its hosts, as this gateway sees them. It takes up to five seconds. A result is given again for half a minute, unless the app changes',
  needs: { role: 'viewer', of: 'app' },
  limit: 'checks',
  reply: z.object({
    findings: z.array(Finding),
    files: z.object({
      apple: z.string().nullable().describe('The content of apple-app-site-association. Null: there is none.'),
      google: z.string().nullable().describe('The content of assetlinks.json. Null: there is none.'),
    }),
    regular: AssociationCheck.nullable().describe(
      'The last regular check of the hosts, which runs once an hour (`ASSOCIATION_CHECKS`). Null: there was none yet.',
    ),
  }),
  async handle({ params: { appId } }, { lookups, config, account, checks }) {
    const app = await lookups.existingApp(appId);
    const { protocol: scheme } = new URL(config.PUBLIC_URL);
    const shown = (file: object | null) => file && JSON.stringify(file, null, 2);
    return {
      findings: await checks.seen.of(app, () =>
        checksOf({
          app,
          scheme,
          hosts: ownHosts(app, config),
          get: getFile,
          simulated: isSimulated(app, config),
        }),
      ),
      files: { apple: shown(appleAppSiteAssociation(app)), google: shown(assetLinks(app)) },
      regular: await account.association.find(appId),
    };
  },
});

export const checkHostsNow = manageRoute('POST /api/manage/apps/:appId/checks', {
  summary:
    'Check the association files on the hosts of an app now; the result is stored like that of the regular check. It takes up to ten seconds',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  reply: z.object({ check: AssociationCheck }),
  async handle({ params: { appId }, change }, parts: ConsoleParts) {
    const app = await parts.lookups.existingApp(appId);
    await change('CheckHosts', async () => ({ subject: appId, teamId: app.teamId, appId, done: {} }));
    const check = await parts.checks.stored.of(app, () =>
      checkAndStore(app, { ...parts, checked: parts.associationChecked, get: getFile }),
    );
    if (!check) throw new ApiError('APP_NOT_FOUND');
    return { check };
  },
});
