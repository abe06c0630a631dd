// The role of Landfall in the embedded PostgreSQL. It owns its database and nothing else of the server. So an injected
// statement cannot read files of the machine or start programs, as a superuser can.
import pg from 'pg';
import { onConnection } from '../connection.ts';

export const ROLE = 'landfall';
export const DATABASE = 'landfall';

/** Called at every start. Takes over what others own: an earlier version of Landfall worked as the superuser. */
export async function ensureRole(url: (database: string) => string, password: string): Promise<void> {
  await onConnection(url('postgres'), { ssl: false }, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [ROLE]);
    if (rowCount === 0) await client.query(`create role ${ROLE}`);
    // `alter role` takes no parameters.
    await client.query(
      `alter role ${ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
    );
    // A measurement runs a checkpoint first, so that nothing is left to write. The right gives access to nothing.
    await client.query(`grant pg_checkpoint to ${ROLE}`);
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE} owner ${ROLE}`);
  });
  await onConnection(url(DATABASE), { ssl: false }, (client) => client.query(TAKE_OVER));
}

/** One statement, so it changes everything or nothing. What belongs to an extension or a table follows its owner. */
const TAKE_OVER = `do $$
declare
  statement text;
  role constant oid := '${ROLE}'::regrole;
begin
  for statement in
    select format('alter database %I owner to ${ROLE}', datname) from pg_database
      where datname = current_database() and datdba <> role
    union all
    select format('alter schema %I owner to ${ROLE}', nspname) from pg_namespace
      where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') and nspowner <> role
    union all
    select format('alter table %s owner to ${ROLE}', c.oid::regclass) from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relowner <> role
        and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        -- A partitioned table depends on its own columns, and a partition on its table, which does not take it along.
        and (c.relispartition or not exists (select from pg_depend d where d.objid = c.oid and d.refobjid <> c.oid
          and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i', 'e')))
    union all
    select format('alter type %s owner to ${ROLE}', t.oid::regtype) from pg_type t
      join pg_namespace n on n.oid = t.typnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and t.typowner <> role
        and t.typtype in ('e', 'd') and not exists (select from pg_depend d where d.objid = t.oid
          and d.classid = 'pg_type'::regclass and d.deptype = 'e')
    union all
    select format('alter routine %s owner to ${ROLE}', p.oid::regprocedure) from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and p.proowner <> role
        and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass
          and d.deptype = 'e')
  loop
    execute statement;
  end loop;
end
$$`;
