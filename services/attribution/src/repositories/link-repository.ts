// Stores in PostgreSQL what is known of links: which are archived or expire, and which installed apps have opened.
import type { LinkState } from '@landfall/contracts';
import { type Sql, tableOf } from '@landfall/db';
import type { Closing } from '../domain/pool.ts';
import { MOST_ROWS, OPENED_WITHIN_MINUTES, openHere } from './pending-link-row.ts';

/** A request of an installed app for the destination of a link. */
export interface Opening {
  readonly id: string;
  readonly appId: string;
  readonly linkId: string;
  readonly address: string;
  readonly at: Date;
}

export function linkRepository(sql: Sql) {
  return {
    /** Stores the latest state of each link. The states may come in any order. A link that was never edited has none. */
    async keepStates(given: readonly LinkState[]): Promise<void> {
      if (given.length === 0) return;
      const latest = new Map<string, LinkState>();
      for (const state of given) {
        if (state.version > (latest.get(state.linkId)?.version ?? 0)) latest.set(state.linkId, state);
      }
      await sql.rows(
        `insert into attribution.links as l (${states.names})
         select * from ${states.unnest('s')} order by 1
         on conflict (link_id) do update set
           version = excluded.version, archived_at = excluded.archived_at, expires_at = excluded.expires_at
         where l.version < excluded.version`,
        states.valuesOf([...latest.values()]),
      );
    },

    /** Finds the stored taps that they explain. Later taps are compared with openings when a restore locks them. */
    async recordOpenings(opened: readonly Opening[]): Promise<Closing[]> {
      const taps = await sql.rows<{ id: string; by: string; at: Date }>(
        `with remembered as (
           insert into attribution.openings (app_id, address, link_id, at, id)
           select app_id, address, link_id, at, id from ${openings.unnest('o')}
           order by 1, 2, 3, 4
           on conflict (app_id, address, link_id, at) do nothing
         )
         select distinct on (tap.id) tap.id, o.id as by, o.at
         from ${openings.unnest('o', 'n')}
         cross join lateral (
           select p.id, p.link_id, p.kind, p.closed_at from attribution.pending_links p
           where p.app_id = o.app_id and p.address = o.address and ${openHere}
             and p.tapped_at >= o.at - interval '${OPENED_WITHIN_MINUTES} minutes' and p.tapped_at <= o.at
           order by p.tapped_at desc limit ${MOST_ROWS}
         ) tap
         where tap.link_id = o.link_id and tap.kind = 'tap' and (tap.closed_at is null or tap.closed_at <= o.at)
         order by tap.id, o.n`,
        openings.valuesOf(opened),
      );
      return taps.map((tap) => ({ ...tap, takesOver: false }));
    },
  };
}

const states = tableOf<LinkState>({
  linkId: 'uuid',
  version: 'int',
  archivedAt: 'instant',
  expiresAt: 'instant',
});

const openings = tableOf<Opening>({ id: 'uuid', appId: 'uuid', linkId: 'uuid', address: 'hash', at: 'timestamptz' });
