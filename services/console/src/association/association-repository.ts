// The regular checks of the association files: which app is due, and what was found on its hosts the last time.
import { type App, associationChecks, instant, text } from '@landfall/contracts';
import type { AssociationCheck as CheckRow, Database, PrismaTransaction } from '@landfall/db';
import { z } from 'zod';
import { toApp, withDomains } from '../apps/app-repository.ts';

export const findingStates = ['ok', 'warn', 'failed', 'skipped'] as const;

export const AssociationFinding = z.object({
  check: z.enum(associationChecks),
  state: z.enum(findingStates),
  host: text(300),
  detail: text(1_000),
  /** What to do. Null when all is well. */
  fix: text(1_000).nullable(),
});
export type AssociationFinding = z.output<typeof AssociationFinding>;

export const AssociationCheck = z.object({
  checkedAt: instant(),
  /** True when phones do not get a file that they need. */
  failing: z.boolean(),
  /** Four for each host of the app. */
  findings: z.array(AssociationFinding).max(100),
});
export type AssociationCheck = z.output<typeof AssociationCheck>;

/** An app without a row is due from its creation. Apps that another transaction takes or changes now are left out. */
const TAKE = `
  with due as (
    select a.id from account.apps a left join account.association_checks c on c.app_id = a.id
    where a.archived_at is null and coalesce(c.next_at, a.created_at) <= $1
    order by coalesce(c.next_at, a.created_at), a.id limit $3 for no key update of a skip locked
  )
  insert into account.association_checks as c (app_id, next_at) select id, $2 from due
  on conflict (app_id) do update set next_at = excluded.next_at
  returning app_id`;

const STORE = `
  insert into account.association_checks as c (app_id, next_at, checked_at, failing, changed, findings)
  select id, $2, $2, $3, $3, $4::json from account.apps where id = $1
  on conflict (app_id) do update set checked_at = excluded.checked_at, failing = excluded.failing,
    changed = c.failing <> excluded.failing, findings = excluded.findings
  where c.checked_at is null or c.checked_at < excluded.checked_at
  returning changed`;

/** Null: the app was not checked yet. */
const toCheck = (row: CheckRow | null): AssociationCheck | null =>
  row?.checkedAt ? AssociationCheck.parse({ ...row, checkedAt: row.checkedAt.toISOString() }) : null;

export function associationRepository(database: Database) {
  const { prisma } = database;
  return {
    /** Takes apps that are due at `now`. They are due again at `nextAt`, also if no check is stored until then. */
    async take(now: Date, nextAt: Date, limit: number): Promise<App[]> {
      const taken = await database.rows<{ app_id: string }>(TAKE, [now, nextAt, limit]);
      const rows = await prisma.app.findMany({
        where: { id: { in: taken.map((row) => row.app_id) } },
        include: withDomains,
        orderBy: { id: 'asc' },
      });
      return rows.map(toApp);
    },

    /** Does nothing if a later one is stored. `changed`: `failing` is another. Null: there is no such app. */
    async store(tx: PrismaTransaction, appId: string, { checkedAt, failing, findings }: AssociationCheck) {
      const given = [appId, new Date(checkedAt), failing, JSON.stringify(findings)];
      const [stored] = await tx.$queryRawUnsafe<{ changed: boolean }[]>(STORE, ...given);
      const check = toCheck(await tx.associationCheck.findUnique({ where: { appId } }));
      return check && { check, changed: stored?.changed ?? false };
    },

    async find(appId: string): Promise<AssociationCheck | null> {
      return toCheck(await prisma.associationCheck.findUnique({ where: { appId } }));
    },
  };
}
