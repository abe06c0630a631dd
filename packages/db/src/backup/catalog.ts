// What a database holds of Landfall, read from PostgreSQL's catalog. Names are quoted where they must be.
import type pg from 'pg';
import type { Head, Tail } from './format.ts';

/** All in these schemas is Landfall's, and nothing outside them but the table of migrations. */
export const SCHEMAS = ['account', 'link', 'attribution', 'push', 'analytics', 'bus'] as const;
export const MIGRATIONS = '_prisma_migrations';
/** The name of a restore among the connections. */
export const RESTORE = 'landfall restore';

type Client = Pick<pg.Client, 'query'>;

async function rowsOf<T>(client: Client, text: string, values: unknown[] = [SCHEMAS]): Promise<T[]> {
  return (await client.query(text, values)).rows as T[];
}

const onesOf = async (client: Client, text: string, values?: unknown[]): Promise<string[]> =>
  (await rowsOf<{ one: string }>(client, text, values)).map(({ one }) => one);

export interface Table {
  name: string;
  /** The columns that can be written: a generated one follows from them. */
  columns: string[];
}

/** The tables that hold rows themselves: a partitioned one holds none. In the order of their names. */
export const tablesOf = (client: Client): Promise<Table[]> =>
  rowsOf(
    client,
    `select case when n.nspname = any ($1) then format('%I.%I', n.nspname, c.relname) else c.relname end as name,
       (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')::text[] as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname = any ($1) or c.oid = to_regclass('${MIGRATIONS}')) order by 1`,
  );

/** The bound of a partition is for example `FOR VALUES FROM (…) TO (…)`. */
export const partitionsOf = (client: Client): Promise<Head['partitions']> =>
  rowsOf(
    client,
    `select format('%I.%I', n.nspname, c.relname) as name, i.inhparent::regclass::text as parent,
       pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_inherits i on i.inhrelid = c.oid
     where c.relispartition and c.relkind = 'r' and n.nspname = any ($1) order by 1`,
  );

type Sequence = Tail['sequences'][number];

export async function sequencesOf(client: Client): Promise<Sequence[]> {
  const names = await onesOf(
    client,
    `select format('%I.%I', n.nspname, c.relname) as one from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = any ($1) order by 1`,
  );
  const sequences = [];
  for (const name of names) {
    const [row] = await rowsOf<Omit<Sequence, 'name'>>(
      client,
      `select last_value::text as value, is_called as called from ${name}`,
      [],
    );
    sequences.push({ name, ...row! });
  }
  return sequences;
}

/**
 * Returns what makes a load slow or depend on the order of the tables: foreign keys, and indexes that belong to no
 * constraint. `drop` and `make` are statements. Those of a partition come and go with those of its table.
 */
export const removablesOf = (client: Client): Promise<{ drop: string; make: string }[]> =>
  rowsOf(
    client,
    `select 1 as step, format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
     from pg_constraint c join pg_namespace n on n.oid = c.connamespace
     where c.contype = 'f' and c.conparentid = 0 and n.nspname = any ($1)
     union all
     -- The definition of an index on a partitioned table leaves out its partitions, and these were lost with it.
     select 2, format('drop index %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by 1, 2`,
  );

export const grantsOf = (client: Client): Promise<string[]> =>
  onesOf(
    client,
    `with things as (
       select 'schema' as kind, quote_ident(nspname) as name, nspacl as acl, nspowner as owner
       from pg_namespace where nspname = any ($1)
       union all
       select case c.relkind when 'S' then 'sequence' else 'table' end, format('%I.%I', n.nspname, c.relname), c.relacl, c.relowner
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any ($1) and c.relkind in ('r', 'p', 'S')
     )
     select format('grant %s on %s %s to %s%s', a.privilege_type, kind, name,
       case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
       case when a.is_grantable then ' with grant option' else '' end) as one
     from things, aclexplode(acl) a where a.grantee <> owner`,
  );

/** Views in these schemas, or on their tables: Landfall has none. */
export const viewsOn = (client: Client): Promise<string[]> =>
  onesOf(
    client,
    `select distinct v.oid::regclass::text as one from pg_class v
     where v.relkind in ('v', 'm') and (
       exists (select from pg_namespace n where n.oid = v.relnamespace and n.nspname = any ($1))
       or exists (select from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
         join pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid
         join pg_namespace n on n.oid = t.relnamespace where r.ev_class = v.oid and n.nspname = any ($1)))
     order by 1`,
  );

/** Returns the connections of programs of Landfall to this database, as words. A restore is none: it has a lock. */
export const connectionsOfLandfall = (client: Client): Promise<string[]> =>
  onesOf(
    client,
    `select format('%s, process %s%s', application_name, pid, coalesce(' from ' || host(client_addr), '')) as one
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'landfall%'
       and application_name <> '${RESTORE}' order by 1`,
    [],
  );
