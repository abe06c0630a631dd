import { type App, AppSettings, AppSettingsChange, domainName, type Plan, subdomain } from '@landfall/contracts';
import { ApiError, etag, ifMatch, ifMatchHeader } from '@landfall/http';
import { z } from 'zod';
import type { Change, Changing } from '../changes/change.ts';
import { isInstanceOwner, lockApp } from '../common/rights.ts';
import type { Rules } from '../config.ts';
import { hasLasting } from '../identity/rotation.ts';
import { appName, appView, viewApp } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { changedApp } from './changed-app.ts';
import { isReserved } from './make-app.ts';

const body = AppSettingsChange.extend({
  name: appName().optional(),
  subdomain: subdomain().optional(),
  primaryDomain: domainName()
    .nullable()
    .optional()
    .describe('A verified domain of the app for its new links. Null: the subdomain.'),
  archived: z
    .boolean()
    .optional()
    .describe(
      'An archived app is not served: all of its links stop, and nothing is deleted. `countLinks` says how many. `false` restores it.',
    ),
});

export const updateApp = manageRoute('PATCH /api/manage/apps/:appId', {
  summary: 'Change an app, archive it or restore it; omitted fields do not change',
  needs: { role: 'admin', of: 'app' },
  headers: ifMatchHeader,
  body,
  reply: z.object({ app: appView }),
  errors: [
    'SUBDOMAIN_TAKEN',
    'SUBDOMAIN_RESERVED',
    'TOO_MANY_SUBDOMAINS',
    'IDENTITY_SECRET_NEEDED',
    'DOMAIN_NOT_VERIFIED',
    'VERSION_MISMATCH',
  ],
  async handle({ params: { appId }, body, headers, change, setHeader }, { config, rules }) {
    const assertVersion = ifMatch(headers);
    const app = await change('UpdateApp', async (at) => {
      const before = await lockApp(at, appId, 'admin');
      assertVersion(before);
      return changeApp(at, rules, before, body);
    });
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

async function changeApp(
  at: Changing,
  rules: Rules,
  before: App,
  { subdomain = before.subdomain, archived = before.archivedAt !== null, ...change }: z.output<typeof body>,
): Promise<Change<App>> {
  const { tx, account, now } = at;
  if (subdomain !== before.subdomain) await assertMayTake(at, rules, before.id, subdomain);
  const { name = before.name, primaryDomain = before.primaryDomain } = change;
  if (primaryDomain !== null && !before.domains.includes(primaryDomain)) throw new ApiError('DOMAIN_NOT_VERIFIED');
  const archivedAt = archived ? (before.archivedAt ?? now.toISOString()) : null;
  const settings = changedSettings(before, change);
  const isNew = settings.identity !== 'off' && before.identity === 'off';
  if (isNew && !hasLasting((await account.apps.identitySecrets(before.id, tx)) ?? []))
    throw new ApiError('IDENTITY_SECRET_NEEDED');
  const after = { name, subdomain, primaryDomain, archivedAt, settings };
  const changed = await account.apps.update(tx, before, after, now);
  if (changed.timeZone !== before.timeZone) await account.reports.reschedule(tx, changed, now);
  return changedApp(at, before, changed);
}

/** Changes field by field. A field that is missing in the change stays the same. A list is replaced as a whole. */
const changedSettings = (before: AppSettings, change: z.output<typeof AppSettingsChange>): AppSettings =>
  AppSettings.parse({
    ...before,
    ...change,
    ios: { ...before.ios, ...change.ios },
    android: { ...before.android, ...change.android },
    matching: { ...before.matching, ...change.matching },
    branding: { ...before.branding, ...change.branding },
    social: { ...before.social, ...change.social },
  });

async function assertMayTake(at: Changing, rules: Rules, appId: string, subdomain: string): Promise<void> {
  const { tx, account } = at;
  if (isReserved(subdomain)) throw new ApiError('SUBDOMAIN_RESERVED');
  const owner = await account.apps.hostOwner(tx, subdomain);
  // Only the app itself may take back a name that it gave up.
  if (owner && owner !== appId) throw new ApiError('SUBDOMAIN_TAKEN');
  const former = { appId, releasedAt: { not: null } };
  const isFull = !owner && (await tx.host.count({ where: former })) >= rules.MAX_FORMER_SUBDOMAINS;
  if (isFull && !(await isInstanceOwner(at))) throw new ApiError('TOO_MANY_SUBDOMAINS');
}

export async function changePlan(at: Changing, appId: string, plan: Plan): Promise<Change<App>> {
  const { tx, account } = at;
  const before = await account.apps.lock(tx, appId);
  if (!before) throw new ApiError('APP_NOT_FOUND');
  if (!(await isInstanceOwner(at))) throw new ApiError('FORBIDDEN');
  const data = { plan: plan.name, linksPerMonth: plan.linksPerMonth };
  return changedApp(at, before, await account.apps.change(tx, appId, data));
}
