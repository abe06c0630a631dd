// Reads from PostgreSQL the taps that other settings might give, for the facts of decisions.
import type { SqlTransaction } from '@landfall/db';
import type { Ask } from '../domain/candidate.ts';
import { MOST_TAPS, type Nearby } from '../domain/what-if/facts.ts';
import { asked, pendingLinks } from './pending-link-repository.ts';
import { isClosedRow, isHere, isOpenRow, LINK_STATE, rowOf } from './pending-link-row.ts';

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
