// Databases for tests: a new one for each suite, and a check that protects other databases from being emptied.
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { onConnection } from './connection.ts';
import type { Sql } from './database.ts';
import { applyMigrations, readMigrations } from './migrate.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Throws unless the database of `sql` has `test` in its name. The server gives the name, not the URL. */
export async function assertTestDatabase(sql: Sql): Promise<void> {
  const [row] = await sql.rows<{ name: string }>('select current_database() as name');
  if (!row?.name.includes('test')) {
    throw new Error(`"${row?.name}" is not a test database: only one with "test" in its name may be emptied.`);
  }
}

/** Returns the number of rows that the transaction has read from the table: those of scans, and those found by an index. */
export async function rowsRead(tx: Sql, table: string): Promise<number> {
  const [counts] = await tx.rows<{ rows: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
     where relid = $1::text::regclass`,
    [table],
  );
  return counts!.rows;
}

/**
 * Deletes every row of the services' tables, in a few milliseconds, so a test does not need its own database. Throws if
 * the database is not a test database.
 */
export async function emptyTestDatabase(sql: Sql): Promise<void> {
  await assertTestDatabase(sql);
  await sql.rows(`
    do $$
    declare one regclass;
    begin
      -- Foreign keys do not matter when everything goes.
      set local session_replication_role = replica;
      for one in
        select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('account', 'link', 'attribution', 'push', 'analytics', 'bus') and c.relkind = 'r'
          -- Most suites write to a few tables. The file of the others is empty.
          and pg_relation_size(c.oid) > 0
      loop
        execute format('delete from %s', one);
      end loop;
    end $$`);
}

/** The key of the advisory lock on the template. Its value has no meaning. */
const templateLock = 5_231_907;

/**
 * Makes a database `test_<random>` with all migrations, in about 30 ms. It copies the files of a template, which the
 * first caller on a server makes. `serverUrl` names any database of that server. Its user must be allowed to create
 * databases. Concurrent calls are allowed.
 */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onConnection(serverUrl, {}, async (server) => {
    const template = await ensureTemplate(server, serverUrl);
    const { rows } = await server.query("select current_setting('server_version_num')::int >= 150000 as chooses");
    // An older server knows this way alone.
    const strategy = rows[0].chooses ? 'strategy file_copy' : '';
    await server.query(`create database ${name} template ${template} ${strategy}`);
  });
  return {
    url: urlOf(serverUrl, name),
    drop: () =>
      onConnection(serverUrl, {}, async (server) => {
        await server.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** The name of the template contains a hash of the migrations, so a template with other migrations is never used. */
async function ensureTemplate(server: pg.Client, serverUrl: string): Promise<string> {
  const migrations = readMigrations();
  const hash = createHash('sha256');
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`);
  const template = `test_template_${hash.digest('hex').slice(0, 12)}`;
  if (await exists(server, template)) return template;

  await server.query('select pg_advisory_lock($1)', [templateLock]);
  try {
    if (await exists(server, template)) return template;
    // The template has another name until it is complete. An interrupted run leaves nothing that looks like a template.
    const half = `${template}_new`;
    await server.query(`drop database if exists ${half} with (force)`);
    await server.query(`create database ${half}`);
    await applyMigrations(urlOf(serverUrl, half), migrations);
    await server.query(`alter database ${half} rename to ${template}`);
    return template;
  } finally {
    await server.query('select pg_advisory_unlock($1)', [templateLock]);
  }
}

async function exists(server: pg.Client, database: string): Promise<boolean> {
  return (await server.query('select from pg_database where datname = $1', [database])).rowCount === 1;
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
