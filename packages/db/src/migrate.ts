// Migrates a database to the tables that this version needs. Every process does this when it starts, in any order.
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { onConnection } from './connection.ts';
import type { Sql } from './database.ts';

export interface Migration {
  readonly name: string;
  /** The statements, in words that the oldest supported server knows. */
  readonly sql: string;
  /** SHA-256 of the file, in hex. */
  readonly checksum: string;
}

export const migrationsFolder = path.resolve(import.meta.dirname, '../../../prisma/migrations');

/** The advisory lock that Prisma uses, so that Prisma's command line and this code never migrate at the same time. */
export const migrationLock = 72707369;

/** Oldest first. */
export function readMigrations(): Migration[] {
  return readdirSync(migrationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(migrationsFolder, name, 'migration.sql'), 'utf8');
      return { name, sql: forOldestServer(sql), checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** CREATE TABLE knows STORAGE since PostgreSQL 16 only, and the file of an applied migration must not change. */
function forOldestServer(sql: string): string {
  const later: string[] = [];
  const said = sql.replace(/CREATE TABLE (\S+) \([^;]*;/g, (statement: string, table: string) =>
    statement.replace(/^( *("\w+") .*?) STORAGE (\w+)/gm, (_, definition: string, column: string, kind: string) => {
      later.push(`ALTER TABLE ${table} ALTER COLUMN ${column} SET STORAGE ${kind};`);
      return definition;
    }),
  );
  return [said, ...later].join('\n');
}

/**
 * Applies the missing migrations, each in its own transaction, and returns their names. Concurrent callers wait. The
 * records are Prisma's (`_prisma_migrations`), so its command line works on the same database. Ignores migrations of a
 * later version, which this one can run on, as in a rollout. Throws, and leaves nothing half done, when a migration
 * fails, was changed since, or is unknown and not of a later version.
 */
export function applyMigrations(url: string, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  return onConnection(url, { application_name: 'landfall migrations' }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await makeRecords(client);
    const missing = missingOf(migrations, (await client.query<Applied>(SELECT_APPLIED)).rows);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  });
}

export interface MigrationState {
  /** Migrations of this version that are not applied yet. The next start applies them. */
  missing: string[];
  later: string[];
  /** The reason why this version cannot start on the database, as a sentence. */
  fault?: string;
}

/** Changes nothing and waits for no lock. Rejects if the database cannot be read. */
export async function migrationState(
  sql: Sql,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationState> {
  const [table] = await sql.rows<{ there: boolean }>(`select to_regclass('_prisma_migrations') is not null as there`);
  const applied = table?.there ? await sql.rows<Applied>(SELECT_APPLIED) : [];
  const known = new Set(migrations.map(({ name }) => name));
  const later = applied.map(({ migration_name }) => migration_name).filter((name) => !known.has(name));
  try {
    return { missing: missingOf(migrations, applied).map(({ name }) => name), later };
  } catch (error) {
    return { missing: [], later, fault: (error as Error).message };
  }
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

const SELECT_APPLIED =
  'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null order by migration_name';

async function makeRecords(client: pg.Client): Promise<void> {
  // A role that may not make tables starts on a database that is up to date.
  const { rows } = await client.query("select to_regclass('_prisma_migrations') is not null as there");
  if (rows[0].there) return;
  await client.query(`create table if not exists _prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
    logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
}

function missingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const last = migrations.at(-1)?.name ?? '';
  let later: string | undefined;
  for (const { migration_name: name, checksum, finished_at } of applied) {
    const migration = known.get(name);
    if (!migration && name <= last) throw unknown(name);
    if (!finished_at) {
      throw new Error(
        `The migration ${name} was begun by another tool and did not end: repair the database, and mark it with "prisma migrate resolve".`,
      );
    }
    if (!migration) {
      later = name;
      continue;
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `The migration ${name} was changed after it was applied: put its file back as it was, and write another migration.`,
      );
    }
    known.delete(name);
  }
  // A later version has all of ours. If one is missing, the unknown migration comes from another branch.
  if (later !== undefined && known.size > 0) throw unknown(later);
  return [...known.values()];
}

const unknown = (name: string) =>
  new Error(
    `The database has the migration ${name}, which this version does not know: start the version that made it, or a later one.`,
  );

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Applies migrations in the caller's transaction, to a database that has all those before them. */
export async function applyWithin(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await makeRecords(client);
  for (const migration of migrations) await record(client, migration);
}

async function record(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
    await client.query(
      'insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) values ($1, $2, $3, clock_timestamp(), 1)',
      [randomUUID(), checksum, name],
    );
  } catch (cause) {
    throw new Error(`The migration ${name} failed, and nothing of it was kept: ${(cause as Error).message}`, { cause });
  }
}
