// Makes an app, for a route or a program.
import type { Actor, App, AppSettings } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { ApiError } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import type { Change, Changing } from '../changes/change.ts';
import { isInstanceOwner } from '../common/instance-owner.ts';
import { has } from '../domain/rights.ts';
import type { Rules } from '../domain/rules.ts';
import type { ConsoleParts } from '../routing/route.ts';
import { appChanged } from './changed-app.ts';
import { isReserved } from './subdomain.ts';

export interface WantedApp {
  id: string;
  name: string;
  subdomain: string;
  settings: AppSettings;
  /** Null: the first owner's team, as soon as it exists. */
  teamId: string | null;
}

/** @throws ApiError with the reason why the caller gets no such app */
export async function makeApp(
  { account, rules }: Pick<ConsoleParts, 'account' | 'rules'>,
  { tx, actor, now }: Changing,
  { teamId: wanted, ...app }: WantedApp,
): Promise<Change<App>> {
  const { id, name, subdomain, settings } = app;
  if (isReserved(subdomain)) throw new ApiError('SUBDOMAIN_RESERVED');
  // A new app has no secret to check a token with.
  if (settings.identity !== 'off') throw new ApiError('IDENTITY_SECRET_NEEDED');
  const team = wanted ? await account.teams.lock(tx, wanted) : await account.teams.first(tx);
  const teamId = team?.id ?? null;
  const role = wanted && !team ? null : await account.teams.roleOf(tx, actor, teamId, now);
  if (role === null) throw new ApiError('TEAM_NOT_FOUND');
  if (!has(role, 'admin')) throw new ApiError('FORBIDDEN');
  await assertRoomForApp(account, tx, { teamId, actor, rules });
  if (await account.apps.hostOwner(tx, subdomain)) throw new ApiError('SUBDOMAIN_TAKEN');
  const made = await account.apps.insert(tx, { ...app, teamId, plan: rules.plan, now });
  // A recent request for this host may have left it in caches as unknown. The event clears it at once.
  const events = [await appChanged(account, tx, made)];
  return { subject: id, teamId, appId: id, after: { name, subdomain }, done: made, events };
}

/**
 * The team is locked. The limit is not for instance owners and the operator.
 * @throws ApiError TOO_MANY_APPS if the team may have no more apps
 */
export async function assertRoomForApp(
  account: AccountRepository,
  tx: PrismaTransaction,
  { teamId, actor, rules }: { teamId: string | null; actor: Actor; rules: Rules },
): Promise<void> {
  if (teamId === null || (await account.apps.countOf(tx, teamId)) < rules.appsPerTeam) return;
  if (!(await isInstanceOwner(account, tx, actor))) throw new ApiError('TOO_MANY_APPS');
}
