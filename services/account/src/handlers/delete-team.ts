import { type Context, type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type DeleteTeam, PersonChanged, TeamChanged } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { type AppState, stateOf } from '../common/app-changed.ts';
import { lockedTeam } from '../common/locked-team.ts';
import { refuseWithout } from '../domain/membership.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import type { ChangeRequest } from '../repositories/change-repository.ts';

type By = ChangeRequest & { context: Context };

export function deleteTeam(account: AccountRepository): One<typeof DeleteTeam> {
  return async ({ actor, teamId, ifVersion }, context): Promise<Outcome<typeof DeleteTeam>> => {
    const asked = { command: 'DeleteTeam', actor, context };
    const change = await account.change(asked, async (tx) => {
      const found = await lockedTeam(account, tx, teamId);
      if ('refusal' in found) return found;
      const { team, members } = found;
      const refused = refuseWithout(members, actor, 'owner');
      if (refused) return refuse(refused);
      if (ifVersion !== null && ifVersion !== team.version)
        return { refusal: { code: 'VERSION_MISMATCH', facts: { version: team.version } } };
      const apps = await account.apps.lockOfTeam(tx, teamId);
      if (apps.some(({ archivedAt }) => archivedAt === null)) return refuse('TEAM_HAS_APPS');
      const released: AppState[] = [];
      for (const { id } of apps) released.push(await release(tx, asked, teamId, id));
      await account.tokens.revokeOfTeam(tx, teamId, context.now);
      await account.teams.remove(tx, teamId);
      const people = members.map(({ userId }) => userId);
      return { subject: teamId, teamId, before: { name: team.name }, done: { people, released } };
    });
    if ('refusal' in change) return change;
    const { people, released } = change.done;
    const events = [
      told(TeamChanged, { teamId }),
      ...people.map((userId) => told(PersonChanged, { userId })),
      ...released.map((app) => told(AppChanged, app)),
    ];
    return { reply: {}, events };
  };

  /**
   * Takes an archived app out of the deleted team. The operator finds its audit entry among the entries without a team.
   */
  async function release(
    tx: PrismaTransaction,
    { context, ...by }: By,
    teamId: string,
    appId: string,
  ): Promise<AppState> {
    const app = await account.apps.setTeam(tx, appId, null);
    const asked = { ...by, context: { id: context.idFor(`audit ${appId}`), now: context.now } };
    await account.note(tx, asked, { subject: appId, appId, before: { teamId }, after: { teamId: null } });
    return stateOf(app, await account.apps.hostsOf(tx, appId));
  }
}
