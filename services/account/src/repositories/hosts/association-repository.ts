// The checks of the association files: which app is due, and the last result.
import { type App, AssociationCheck } from '@landfall/contracts';
import type { AssociationCheck as CheckRow, Database } from '@landfall/db';
import { toApp, withDomains } from '../app-repository.ts';

/** An app without a row is due from its creation. Apps that another transaction takes or changes now are left out. */
const TAKE = `
  with due as (
    select a.id from account.apps a left join account.association_checks c on c.app_id = a.id
    where a.archived_at is null and coalesce(c.next_at, a.created_at) <= $2
    order by coalesce(c.next_at, a.created_at), a.id limit $4 for no key update of a skip locked
  )
  insert into account.association_checks as c (app_id, next_at, taken_by) select id, $3, $1 from due
  on conflict (app_id) do update set next_at = excluded.next_at, taken_by = excluded.taken_by`;

const STORE = `
  insert into account.association_checks as c (app_id, next_at, checked_at, failing, changed, stored_by, findings)
  select id, $3, $3, $4, $4, $2, $5::json from account.apps where id = $1
  on conflict (app_id) do update set checked_at = excluded.checked_at, failing = excluded.failing,
    changed = c.failing <> excluded.failing, stored_by = excluded.stored_by, findings = excluded.findings
  where c.checked_at is null or c.checked_at < excluded.checked_at`;

const toCheck = (row: CheckRow & { checkedAt: Date }): AssociationCheck => ({
  checkedAt: row.checkedAt.toISOString(),
  failing: row.failing,
  findings: AssociationCheck.shape.findings.parse(row.findings),
});

export type AssociationRepository = ReturnType<typeof associationRepository>;

export function associationRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Takes apps that are due at `now`. The same message takes the same apps. */
    async take(messageId: string, now: Date, nextAt: Date, limit: number): Promise<App[]> {
      const taken = () =>
        prisma.app.findMany({
          where: { associationCheck: { takenBy: messageId } },
          include: withDomains,
          orderBy: { id: 'asc' },
        });
      const before = await taken();
      if (before.length > 0) return before.map(toApp);
      await database.rows(TAKE, [messageId, now, nextAt, limit]);
      return (await taken()).map(toApp);
    },

    /**
     * Stores a check, unless a later one is stored.
     * @returns the stored check, and whether this message changed `failing`. Null: there is no such app.
     */
    async store(
      messageId: string,
      appId: string,
      { checkedAt, failing, findings }: AssociationCheck,
    ): Promise<{ check: AssociationCheck; changed: boolean } | null> {
      await database.rows(STORE, [appId, messageId, new Date(checkedAt), failing, JSON.stringify(findings)]);
      const row = await prisma.associationCheck.findUnique({ where: { appId } });
      if (!row?.checkedAt) return null;
      return {
        check: toCheck({ ...row, checkedAt: row.checkedAt }),
        changed: row.changed && row.storedBy === messageId,
      };
    },

    async find(appId: string): Promise<AssociationCheck | null> {
      const row = await prisma.associationCheck.findUnique({ where: { appId } });
      return row?.checkedAt ? toCheck({ ...row, checkedAt: row.checkedAt }) : null;
    },
  };
}
