import type { One, Outcome } from '@landfall/bus';
import type { Invite } from '@landfall/contracts';
import { lockedTeam } from '../common/locked-team.ts';
import { expiresAt } from '../domain/invitation.ts';
import { refuseInvitation } from '../domain/membership.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { normalEmail } from '../repositories/person-repository.ts';
import type { Secrets } from '../secrets.ts';

export function invite(account: AccountRepository, { sealer }: Secrets): One<typeof Invite> {
  return async ({ actor, teamId, email, role, codeHash }, context): Promise<Outcome<typeof Invite>> => {
    const { id, now } = context;
    const change = await account.change({ command: 'Invite', actor, context }, async (tx) => {
      const found = await lockedTeam(account, tx, teamId);
      if ('refusal' in found) return found;
      const refused = refuseInvitation(found.members, actor, role);
      if (refused) return refuse(refused);
      const known = await account.people.findByEmail(email, tx);
      if (known && found.members.some(({ userId }) => userId === known.person.id)) return refuse('ALREADY_MEMBER');
      const times = { createdAt: now, expiresAt: expiresAt(now) };
      const offer = { id, teamId, email, role, codeHash, invitedBy: actor.userId, ...times };
      const invitation = await account.teams.invite(tx, offer);
      const after = { email: normalEmail(sealer.open('email', email)), role };
      return { subject: id, teamId, after, done: { invitation } };
    });
    return 'refusal' in change ? change : { reply: change.done };
  };
}
