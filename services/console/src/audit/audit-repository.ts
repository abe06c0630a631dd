// Reads the audit log. changes/change.ts writes it together with each change.
import { Actor, type AuditEntry, type JsonObject } from '@landfall/contracts';
import type { AuditEntry as AuditRow, Database } from '@landfall/db';
import { type Place, toHash } from '../rows.ts';

export interface AuditOf {
  /** Null: only entries that belong to no team. Left out: of every team, and of none. */
  teamId?: string | null | undefined;
  appId?: string | null | undefined;
  userId?: string | null | undefined;
  actorKind?: Actor['kind'] | undefined;
  action?: string | undefined;
  /** Only entries since this time, in ISO 8601. */
  from?: string | undefined;
}

const toEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: Actor.shape.kind.parse(row.actorKind), userId: row.actorUserId, tokenId: row.tokenId },
  address: row.address && toHash(row.address),
  action: row.action,
  teamId: row.teamId,
  appId: row.appId,
  subject: row.subject,
  before: row.before as JsonObject | null,
  after: row.after as JsonObject | null,
});

export function auditRepository({ prisma }: Database) {
  return {
    async list(
      { teamId, appId, userId, actorKind, action, from }: AuditOf,
      limit: number,
      after: Place | null,
    ): Promise<AuditEntry[]> {
      const rows = await prisma.auditEntry.findMany({
        where: {
          ...(teamId !== undefined && { teamId }),
          ...(appId && { appId }),
          ...(userId && { actorUserId: userId }),
          ...(actorKind && { actorKind }),
          ...(action && { action }),
          ...(from && { at: { gte: new Date(from) } }),
          ...(after && { OR: [{ at: { lt: after.at } }, { at: after.at, id: { lt: after.id } }] }),
        },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map(toEntry);
    },

    /** Returns the current emails of people, by their ids. */
    async emailsOf(ids: readonly string[]): Promise<Map<string, string>> {
      const users = await prisma.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, email: true } });
      return new Map(users.map(({ id, email }) => [id, email]));
    },
  };
}
