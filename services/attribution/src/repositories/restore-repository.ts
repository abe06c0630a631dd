import { LONGEST_DAYS } from '@landfall/contracts';
import { arrayOf, type Fields, type Sql, type SqlTransaction, tableOf } from '@landfall/db';
import { MOST_GIVEN, type Restore } from '../domain/past.ts';
import { type NewRestore, REPLAY_SECONDS, type RestoreRequest, type Told } from '../domain/restore.ts';
import { before, days } from '../domain/time.ts';

export interface Release {
  readonly id: string;
  readonly at: Date;
}

/** A claimant whose earlier answers are read. */
export interface Claiming extends Pick<RestoreRequest, 'id' | 'appId' | 'claimant' | 'token' | 'now'> {
  /** The hash of the device. Null when there is no candidate, because then its earlier links do not matter. */
  readonly device: string | null;
}

const all = <Field extends keyof Claiming>(asks: readonly Claiming[], field: Field): Claiming[Field][] =>
  asks.map((ask) => ask[field]);

export function restoreRepository(tx: SqlTransaction) {
  /** Releases restores. Restores that are already released keep their release time. */
  function markReleased(released: readonly Release[]): void {
    if (released.length === 0) return;
    tx.send(
      `with held as (
         select message_id from attribution.restores where message_id = any($1::uuid[]) order by message_id for update
       )
       update attribution.restores r set released_at = n.at
       from ${releases.unnest('n')}, held
       where r.message_id = n.id and r.message_id = held.message_id and r.released_at is null`,
      releases.valuesOf(released),
    );
  }

  return {
    ...restoreReader(tx),

    /**
     * Finds the restores of earlier deliveries of these messages, the answers to their claimants in the last seconds, the
     * uses of their tokens, and the links for their devices since the oldest tap that they may still get. Leaves out
     * released restores, except those of these messages. It is a separate statement after the candidates are locked. Only
     * then it sees the work of the previous holder of the locks.
     */
    async findEarlier(asks: readonly Claiming[]): Promise<Restore[]> {
      const tokens = asks.filter((ask) => ask.token !== null);
      const devices = asks.filter((ask) => ask.device !== null);
      const oldest = devices.map((ask) => before(ask.now, days(LONGEST_DAYS)));
      // Times are compared outside: inside, the planner would search for a claimant in the latest restores of all.
      const rows = await tx.rows(
        `select given.* from unnest($1::uuid[]) as ask(id)
         cross join lateral (
           select ${restores.names} from attribution.restores r where r.message_id = ask.id limit 1
         ) given
         union all
         select given.* from unnest($2::bytea[], $3::timestamptz[]) as ask(claimant, now)
         cross join lateral (
           select ${restores.names} from attribution.restores r
           where r.claimant = ask.claimant and r.match_type is not null and r.repeats is null
           order by r.at desc limit ${MOST_GIVEN}
         ) given
         where given.at > ask.now - interval '${REPLAY_SECONDS} seconds' and given.at <= ask.now and given.released_at is null
         union all
         select spent.* from unnest($4::bytea[]) as token(claimant)
         cross join lateral (
           select ${restores.names} from attribution.restores r
           where r.claimant = token.claimant and r.match_type = 'token' and r.repeats is null and r.released_at is null
           order by r.at desc limit 1
         ) spent
         union all
         select given.* from unnest($5::uuid[], $6::bytea[], $7::timestamptz[]) as met(app_id, device, since)
         cross join lateral (
           select ${restores.names} from attribution.restores r
           where r.app_id = met.app_id and r.device = met.device and r.device is not null
             and r.match_type is not null and r.repeats is null
           order by r.at desc limit ${MOST_GIVEN}
         ) given
         where given.at > met.since and given.released_at is null`,
        [
          arrayOf('uuid', all(asks, 'id')),
          arrayOf('bytea', all(asks, 'claimant')),
          arrayOf('timestamptz', all(asks, 'now')),
          arrayOf('bytea', all(tokens, 'claimant')),
          arrayOf('uuid', all(devices, 'appId')),
          arrayOf('bytea', all(devices, 'device')),
          arrayOf('timestamptz', oldest),
        ],
      );
      return rows.map(restores.of);
    },

    /** The first restore and all that repeat it. Any of them may be named. None for one that is already released. */
    async findSameAnswers(ids: readonly string[]): Promise<{ id: string; named: string }[]> {
      return tx.rows<{ id: string; named: string }>(
        `select same.message_id as id, named.message_id as named
         from attribution.restores named
         join attribution.restores first on first.message_id = coalesce(named.repeats, named.message_id)
         cross join lateral (
           select first.message_id
           union
           select r.message_id from attribution.restores r
           where r.repeats = first.message_id
         ) same
         where named.message_id = any($1::uuid[]) and named.match_type is not null and named.released_at is null`,
        [ids],
      );
    },

    /** Stores restores. Returns the ids of the restores that were not stored yet. */
    async insert(made: readonly NewRestore[]): Promise<Set<string>> {
      if (made.length === 0) return new Set();
      const rows = await tx.rows<{ message_id: string }>(insertRestores, newRestores.valuesOf(made));
      return new Set(rows.map((row) => row.message_id));
    },

    /** Returns the restores to open again: no client has their answer, neither from the restore nor from a repeat. */
    async releaseLost(lost: readonly Release[]): Promise<Release[]> {
      if (lost.length === 0) return [];
      const ids = lost.map(({ id }) => id);
      // If several restores with one answer are lost at the same time, the last transaction sees the others.
      tx.send(
        `select from attribution.restores where message_id in (
           select coalesce(r.repeats, r.message_id) from attribution.restores r where r.message_id = any($1::uuid[])
         ) order by message_id for update`,
        [ids],
      );
      markReleased(lost);
      return tx.rows<Release>(
        `select first.message_id as id, max(named.released_at) as at
         from attribution.restores named
         join attribution.restores first on first.message_id = coalesce(named.repeats, named.message_id)
         where named.message_id = any($1::uuid[]) and first.match_type is not null and first.released_at is not null
           and not exists (
             select from attribution.restores again where again.repeats = first.message_id and again.released_at is null
           )
         group by first.message_id`,
        [ids],
      );
    },

    markReleased,
  };
}

/** All columns but what was considered and answered, and but the facts. */
export const decided: Fields<Omit<Restore, 'considered' | 'reply'>> = {
  id: ['message_id', 'uuid'],
  appId: 'uuid',
  claimant: 'hash',
  device: 'hash',
  address: 'hash',
  at: 'timestamptz',
  matchType: 'text',
  code: 'text',
  pendingIds: 'uuids',
  summary: 'text',
  repeats: 'uuid',
  releasedAt: 'timestamptz',
};
const answered: Fields<Restore> = { ...decided, considered: 'json', reply: 'json' };
const restores = tableOf(answered);
/** The facts of the request. */
export const told: Fields<Told> = {
  email: 'hash',
  platform: 'text',
  keyId: 'uuid',
  client: 'text',
  requestId: 'text',
  sent: 'json',
};
const newRestores = tableOf<NewRestore>({ ...answered, ...told, facts: 'json', linkIds: 'uuids' });

export const releases = tableOf<Release>({ id: 'uuid', at: 'timestamptz' });

const insertRestores = `
  insert into attribution.restores (${newRestores.names})
  select ${newRestores.names.replace(/\b(?:pending|link)_ids\b/g, '$&::uuid[]')} from ${newRestores.unnest('r')}
  order by message_id
  on conflict (message_id) do nothing returning message_id`;

/** The reads that need no transaction. */
export function restoreReader(sql: Sql) {
  return {
    async find(ids: readonly string[]): Promise<Map<string, Restore>> {
      if (ids.length === 0) return new Map();
      const rows = await sql.rows(
        `select ${restores.names} from attribution.restores where message_id = any($1::uuid[])`,
        [ids],
      );
      return new Map(rows.map(restores.of).map((restore) => [restore.id, restore]));
    },
  };
}
