import { type Sql, tableOf } from '@landfall/db';
import { shortId } from '../domain/what-if/facts.ts';
import type { StoredDecision } from '../domain/what-if/rebuild.ts';
import { decided } from './restore-repository.ts';

export interface Place {
  readonly at: Date;
  readonly id: string;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Without the starts that had no tap at their address: no setting gives them one. */
export function decisionReader(sql: Sql) {
  return {
    /** Returns the place before the newest `most` decisions since a time, or null when there are no more than `most`. */
    async newest(appId: string, since: Date, most: number): Promise<Place | null> {
      const [row] = await sql.rows<{ at: Date; message_id: string }>(
        `select at, message_id from attribution.restores where app_id = $1 and at >= $2 and (code is null or code <> 'untapped')
         order by at desc, message_id desc offset $3 limit 1`,
        [appId, since, most],
      );
      return row === undefined ? null : { at: row.at, id: row.message_id };
    },

    async after(appId: string, { at, id }: Place, until: Date, limit: number): Promise<StoredDecision[]> {
      const rows = await sql.rows<{ link_ids: string[] | null }>(
        `select ${decisions.names},
           case when r.match_type is not null then array(
             select match.value ->> 'linkId' from json_array_elements(r.reply -> 'matches') match
           ) end as link_ids
         from attribution.restores r
         where r.app_id = $1 and (r.at, r.message_id) > ($2, $3) and r.at <= $4 and (r.code is null or r.code <> 'untapped')
         order by r.at, r.message_id limit $5`,
        [appId, at, id, until, limit],
      );
      return rows.map((row) => {
        const decision = decisions.of(row);
        return { ...decision, pendingIds: decision.pendingIds.map(shortId), linkIds: row.link_ids ?? [] };
      });
    },
  };
}

/** The place before all decisions since a time. */
export const placeOf = (since: Date): Place => ({ at: since, id: BEFORE_ALL });

const decisions = tableOf<Omit<StoredDecision, 'linkIds'>>({ ...decided, facts: 'json' });
