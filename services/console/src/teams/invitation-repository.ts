import { instant, Role, reader, uuid } from '@landfall/contracts';
import type { Database, Invitation as InvitationRow, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { normalEmail } from '../people/person-repository.ts';
import { latestFirst, toBytes } from '../rows.ts';
import { toTeam } from './team-repository.ts';

export const invitationView = z.object({
  id: uuid(),
  teamId: uuid(),
  email: z.string(),
  role: Role,
  invitedBy: uuid().nullable(),
  createdAt: instant(),
  expiresAt: instant(),
});
export type Invitation = z.output<typeof invitationView>;

const toInvitation = reader(invitationView);
const open = (now: Date) => ({ closedAt: null, expiresAt: { gt: now } });

export function invitationRepository({ prisma }: Database) {
  return {
    async list(teamId: string, now: Date): Promise<Invitation[]> {
      const rows = await prisma.invitation.findMany({ where: { teamId, ...open(now) }, orderBy: latestFirst() });
      return rows.map(toInvitation);
    },

    async find(codeHash: string, now: Date, tx: PrismaTransaction = prisma) {
      const row = await tx.invitation.findFirst({
        where: { codeHash: toBytes(codeHash), ...open(now) },
        include: { team: true },
      });
      return row && { invitation: toInvitation(row), team: toTeam(row.team), mailed: row.mailed };
    },

    async isInvited(tx: PrismaTransaction, email: string, now: Date): Promise<boolean> {
      return (await tx.invitation.count({ where: { email: normalEmail(email), ...open(now) } })) > 0;
    },

    /** Counts those that were sent by email, also closed ones. */
    async mailedSince(tx: PrismaTransaction, teamId: string, since: Date): Promise<number> {
      return tx.invitation.count({ where: { teamId, mailed: true, createdAt: { gt: since } } });
    },

    /** Makes an invitation. An earlier one of the same email to the team ends. */
    async insert(
      tx: PrismaTransaction,
      { codeHash, ...invitation }: Omit<InvitationRow, 'codeHash' | 'closedAt' | 'acceptedBy'> & { codeHash: string },
    ): Promise<Invitation> {
      const { teamId, createdAt: closedAt } = invitation;
      const email = normalEmail(invitation.email);
      await tx.invitation.updateMany({ where: { teamId, email, closedAt: null }, data: { closedAt } });
      return toInvitation(await tx.invitation.create({ data: { ...invitation, email, codeHash: toBytes(codeHash) } }));
    },

    /** Null: there is no open one. Without `acceptedBy` it is revoked. */
    async close(
      tx: PrismaTransaction,
      which: { id: string; teamId: string },
      acceptedBy: string | null,
      now: Date,
    ): Promise<Invitation | null> {
      const where = { ...which, ...open(now) };
      const [closed] = await tx.invitation.updateManyAndReturn({ where, data: { closedAt: now, acceptedBy } });
      return closed ? toInvitation(closed) : null;
    },

    /** Revokes the open invitations that a member has sent for roles that they can no longer give. */
    async takeBack(
      tx: PrismaTransaction,
      { roles, ...from }: { teamId: string; invitedBy: string; roles: Role[] },
      now: Date,
    ): Promise<void> {
      const where = { ...from, role: { in: roles }, closedAt: null };
      await tx.invitation.updateMany({ where, data: { closedAt: now } });
    },
  };
}
