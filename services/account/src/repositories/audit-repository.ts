// Reads the audit log. change-repository.ts writes it together with each change.
import type { AuditEntry, JsonObject } from '@landfall/contracts';
import { Actor } from '@landfall/contracts';
import type { AuditEntry as AuditRow, Database } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { toHash } from '../bytes.ts';

export interface AuditOf {
  /** Null: only entries that belong to no team. */
  teamId: string | null;
  appId: string | null;
  userId: string | null;
}

export type AuditRepository = ReturnType<typeof auditRepository>;

export function auditRepository({ prisma }: Database, sealer: Sealer) {
  /** Seals the email of an entry. Emails leave the service only in sealed form. */
  const shown = (value: unknown): JsonObject | null => {
    if (value === null) return null;
    const said = value as JsonObject;
    return typeof said.email === 'string' ? { ...said, email: sealer.seal('email', said.email) } : said;
  };
  const toEntry = (row: AuditRow, emails: ReadonlyMap<string, string>): AuditEntry => {
    const email = emails.get(row.actorUserId ?? '');
    return {
      id: row.id,
      at: row.at.toISOString(),
      actor: { kind: Actor.shape.kind.parse(row.actorKind), userId: row.actorUserId, tokenId: row.tokenId },
      actorEmail: email === undefined ? null : sealer.seal('email', email),
      address: row.address && toHash(row.address),
      action: row.action,
      teamId: row.teamId,
      appId: row.appId,
      subject: row.subject,
      before: shown(row.before),
      after: shown(row.after),
    };
  };

  return {
    /** Lists entries, latest first, after the row of the cursor. */
    async list(
      { teamId, appId, userId }: AuditOf,
      limit: number,
      after: { at: Date; id: string } | null,
    ): Promise<AuditEntry[]> {
      const rows = await prisma.auditEntry.findMany({
        where: {
          teamId,
          ...(appId && { appId }),
          ...(userId && { actorUserId: userId }),
          ...(after && { OR: [{ at: { lt: after.at } }, { at: after.at, id: { lt: after.id } }] }),
        },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      const ids = rows.map(({ actorUserId }) => actorUserId).filter((id) => id !== null);
      const users = await prisma.user.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
      const emails = new Map(users.map(({ id, email }) => [id, email]));
      return rows.map((row) => toEntry(row, emails));
    },
  };
}
