// Stores in PostgreSQL which links are archived or expire. It has one row for each link that was ever edited.
import type { LinkState } from '@landfall/contracts';
import type { Sql } from '@landfall/db';

export function linkStateRepository(sql: Sql) {
  return {
    /** Stores the latest state of each link. The states may come in any order. */
    async keep(states: readonly LinkState[]): Promise<void> {
      if (states.length === 0) return;
      const latest = new Map<string, LinkState>();
      for (const state of states) {
        if (state.version > (latest.get(state.linkId)?.version ?? 0)) latest.set(state.linkId, state);
      }
      const links = [...latest.values()];
      await sql.rows(
        `insert into attribution.links as l (link_id, version, archived_at, expires_at)
         select * from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::timestamptz[]) order by 1
         on conflict (link_id) do update set
           version = excluded.version, archived_at = excluded.archived_at, expires_at = excluded.expires_at
         where l.version < excluded.version`,
        [
          links.map((link) => link.linkId),
          links.map((link) => link.version),
          links.map((link) => link.archivedAt),
          links.map((link) => link.expiresAt),
        ],
      );
    },
  };
}
