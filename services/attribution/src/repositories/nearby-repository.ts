// Reads from PostgreSQL taps that were no candidates: those that other settings might give, for the facts of decisions, and
// those before a start that had none, for people.
import { MOST_NEAR, NEAR_HOURS, type Platform } from '@landfall/contracts';
import { type Sql, type SqlTransaction, tableOf } from '@landfall/db';
import type { Ask } from '../domain/candidate.ts';
import { MOST_TAPS, type Nearby } from '../domain/what-if/facts.ts';
import { asked, pendingLinks } from './pending-link-repository.ts';
import { isClosedRow, isHere, isOpenRow, LINK_STATE, openHere, rowOf } from './pending-link-row.ts';
import type { ListedRestore } from './restore-list-repository.ts';

interface Row {
  n: string;
  branch: 'open' | 'closed';
  address: Buffer;
}

/**
 * Reads the taps at the addresses of these restores, by message: the newest open and the newest closed ones. Locks
 * nothing. Call it after the candidates are locked. Only then it sees what the previous holder of the locks closed.
 */
export async function findNearby(
  tx: SqlTransaction,
  asks: readonly Ask[],
): Promise<Map<string, Pick<Nearby, 'rows' | 'truncated'>>> {
  if (asks.length === 0) return new Map();
  const rows = await tx.rows<Row>(nearby, asked.valuesOf(asks));
  const found = Map.groupBy(rows, ({ n }) => asks[Number(n) - 1]!.id);
  return new Map(
    [...found].map(([id, rows]) => [id, { rows: rows.map(pendingLinks.of), truncated: isTruncated(rows) }]),
  );
}

function isTruncated(rows: readonly Row[]): boolean {
  const branches = Map.groupBy(rows, ({ address, branch }) => `${branch} ${address.toString('latin1')}`);
  return [...branches.values()].some((branch) => branch.length > MOST_TAPS);
}

const newest = (state: string) => `
  select p.* from attribution.pending_links p
  where p.app_id = ask.app_id and p.address = at.address and ${state} and ${isHere}
    and p.tapped_at > ask.span_since and p.tapped_at <= ask.now
  order by p.tapped_at desc limit ${MOST_TAPS + 1}`;

/**
 * Each branch reads its own partial index, so that taps in the other state cost nothing. A message that is redelivered
 * much later must not see what was closed since.
 */
const nearby = `
  with ask as materialized (
    select * from ${asked.unnest('a', 'n')}
  )
  select ask.n, p.branch, ${rowOf('null as original_url, null as sealed_url')}
  from ask cross join lateral (
    select ask.address where ask.address is not null
    union select ask.ipv6 where ask.ipv6 is not null
  ) at cross join lateral (
    (select 'open' as branch, open.* from (${newest(isOpenRow)}) open)
    union all
    (select 'closed', closed.* from (${newest(`${isClosedRow} and p.closed_at <= ask.now`)}) closed)
  ) p ${LINK_STATE}`;

/** A tap before a start. */
export interface Near {
  readonly pendingLinkId: string;
  readonly linkId: string;
  readonly tappedAt: Date;
  readonly platform: Platform | null;
  readonly here: boolean | null;
  readonly closed: boolean;
}

/** Finds the latest taps of the app before these restores, by restore, and the latest ones at their addresses. */
export async function findNear(sql: Sql, restores: readonly Start[]): Promise<Map<string, Near[]>> {
  if (restores.length === 0) return new Map();
  const rows = await sql.rows<Near & { id: string }>(nearStarts, starts.valuesOf(restores));
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, taps]) => [id, taps.map(({ id: _, ...tap }) => tap)]),
  );
}

type Start = Pick<ListedRestore, 'id' | 'appId' | 'address' | 'at'>;
const starts = tableOf<Start>({ id: 'uuid', appId: 'uuid', address: 'hash', at: 'timestamptz' });

const latest = (where: string) => `(
  select p.* from attribution.pending_links p
  where p.app_id = s.app_id and ${where} and p.tapped_at <= s.at and p.tapped_at > s.at - interval '${NEAR_HOURS} hours'
  order by p.tapped_at desc limit ${MOST_NEAR}
)`;

/**
 * Each branch reads some rows of one index. Those by address do not name the kind: the planner might search for the taps of
 * an address in the latest taps of the app.
 */
const nearStarts = `
  select s.id, p.id as "pendingLinkId", p.link_id as "linkId", p.tapped_at as "tappedAt", p.platform,
    p.address = s.address as here, p.closed_by is not null and p.closed_at <= s.at as closed
  from ${starts.unnest('s')} cross join lateral (
    ${latest("p.kind = 'tap'")}
    union ${latest(`p.address = s.address and ${openHere}`)}
    union ${latest(`p.address = s.address and ${isClosedRow} and ${isHere}`)}
  ) p
  where p.kind = 'tap'
  order by s.id, p.tapped_at desc`;
