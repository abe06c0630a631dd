import { type App, atLeast } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Change, Changing } from '../changes/change.ts';
import { isInstanceOwner } from '../common/rights.ts';
import type { Rules } from '../config.ts';
import type { WantedApp } from './app-repository.ts';
import { appChanged } from './changed-app.ts';

export async function makeApp(at: Changing, rules: Rules, { teamId: wanted, ...app }: WantedApp): Promise<Change<App>> {
  const { tx, account, actor, now } = at;
  const { id, name, subdomain, settings } = app;
  if (isReserved(subdomain)) throw new ApiError('SUBDOMAIN_RESERVED');
  // A new app has no secret to check a token with.
  if (settings.identity !== 'off') throw new ApiError('IDENTITY_SECRET_NEEDED');
  const team = wanted ? await account.teams.lock(tx, wanted) : await account.teams.first(tx);
  const teamId = team?.id ?? null;
  const role = wanted && !team ? null : await account.teams.roleOf(tx, actor, teamId, now);
  if (role === null) throw new ApiError('TEAM_NOT_FOUND');
  if (!atLeast(role, 'admin')) throw new ApiError('FORBIDDEN');
  await assertRoomForApp(at, rules, teamId);
  if (await account.apps.hostOwner(tx, subdomain)) throw new ApiError('SUBDOMAIN_TAKEN');
  const made = await account.apps.insert(tx, { ...app, teamId, plan: rules.DEFAULT_PLAN, now });
  // A recent request for this host may have left it in caches as unknown. The event clears it at once.
  const events = [await appChanged(at, made)];
  return { subject: id, teamId, appId: id, after: { name, subdomain }, done: made, events };
}

/** The team is locked. Archived apps count. Instance owners and the operator have no limit. */
export async function assertRoomForApp(at: Changing, rules: Rules, teamId: string | null): Promise<void> {
  if (teamId === null || (await at.tx.app.count({ where: { teamId } })) < rules.MAX_APPS_PER_TEAM) return;
  if (!(await isInstanceOwner(at))) throw new ApiError('TOO_MANY_APPS');
}

/**
 * Names that the product or its operator needs, or that a visitor would not take for an app. Also names that systems ask
 * for by themselves, such as `wpad` and `autodiscover` (RFC 2142, 8461, 7929, and Microsoft's).
 */
const reserved = new Set(
  `about account accounts admin administrator analytics api app apps assets auth autoconfig autodiscover billing blog
  broadcasthost cdn console dashboard demo-api dev developer developers docs email enterpriseenrollment
  enterpriseregistration ftp go health help host hostmaster imap imaps install internal isatap legal link links localdomain
  localhost login logs lyncdiscover mail manage metrics monitor msoid mta-sts mx ns ns1 ns2 ns3 ns4 oauth open openpgpkey
  pop pop3 portal postmaster press privacy proxy public root security server signin signup sip smtp sso stage staging
  static stats status store support sys system terms test v4 v6 web webmail webmaster wpad ww www www1 www2 www3`.split(
    /\s+/,
  ),
);

/** `open-<subdomain>` is the open host of another app. With `xn--`, a name could look like another name. */
const reservedPrefixes = ['open-', 'xn--'];

export const isReserved = (subdomain: string): boolean =>
  reserved.has(subdomain) || reservedPrefixes.some((prefix) => subdomain.startsWith(prefix));
