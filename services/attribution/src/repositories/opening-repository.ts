// Stores in PostgreSQL which links installed apps have opened, and finds the taps that these openings explain.
import type { Sql } from '@landfall/db';
import { toBytes } from '../bytes.ts';
import type { Closing } from '../domain/pool.ts';
import { before, minutes } from '../domain/time.ts';
import { MOST_ROWS } from './pending-link-repository.ts';
import { OPENED_WITHIN_MINUTES, openHere } from './pending-link-row.ts';

/** A request of an installed app for the destination of a link. */
export interface Opening {
  readonly id: string;
  readonly appId: string;
  readonly linkId: string;
  readonly address: string;
  readonly at: Date;
}

export function openingRepository(sql: Sql) {
  return {
    /**
     * Stores these openings, and finds the stored taps that they explain. A tap that is stored later is compared with its
     * openings when a restore locks it.
     */
    async record(openings: readonly Opening[]): Promise<Closing[]> {
      const taps = await sql.rows<{ id: string; by: string; at: Date }>(
        `with remembered as (
           insert into attribution.openings (app_id, address, link_id, at, id)
           select app_id, address, link_id, at, id
           from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $6::timestamptz[]) as o(id, app_id, link_id, address, at)
           order by 1, 2, 3, 4
           on conflict (app_id, address, link_id, at) do nothing
         )
         select distinct on (tap.id) tap.id, o.id as by, o.at
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $5::timestamptz[], $6::timestamptz[])
           with ordinality as o(id, app_id, link_id, address, since, at, n)
         cross join lateral (
           select p.id, p.link_id, p.kind, p.closed_at from attribution.pending_links p
           where p.app_id = o.app_id and p.address = o.address and ${openHere} and p.tapped_at >= o.since and p.tapped_at <= o.at
           order by p.tapped_at desc limit ${MOST_ROWS}
         ) tap
         where tap.link_id = o.link_id and tap.kind = 'tap' and (tap.closed_at is null or tap.closed_at <= o.at)
         order by tap.id, o.n`,
        [
          openings.map((o) => o.id),
          openings.map((o) => o.appId),
          openings.map((o) => o.linkId),
          openings.map((o) => toBytes(o.address)),
          openings.map((o) => before(o.at, minutes(OPENED_WITHIN_MINUTES))),
          openings.map((o) => o.at),
        ],
      );
      return taps.map((tap) => ({ ...tap, takesOver: false }));
    },
  };
}
