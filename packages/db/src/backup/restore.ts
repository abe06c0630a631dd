// Puts a backup in the place of what a database holds of Landfall, in one transaction: all of it, or nothing.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applyWithin, type Migration, migrationLock, readMigrations } from '../migrate.ts';
import { onSession, sumOf } from './back-up.ts';
import {
  connectionsOfLandfall,
  grantsOf,
  MIGRATIONS,
  RESTORE,
  removablesOf,
  SCHEMAS,
  type Table,
  tablesOf,
  viewsOn,
} from './catalog.ts';
import { BackupError, type BackupReader, FORMAT, Head, readBackup, TableEnd, TableHead, Tail } from './format.ts';
import { createRowSums, type RowSum } from './row-sums.ts';

export interface RestoreOptions {
  url: string;
  source: AsyncIterable<Buffer>;
  /** Takes the files of the installation before the commit. What it returns is called after it. */
  onFiles?(files: Readonly<Record<string, string>>): () => void;
}

/**
 * Compares each table with the backup before it commits. Rejects with a sentence when Landfall uses the database, or
 * the backup is damaged, not whole, or of a later version. `at`: when it was made, as an ISO date.
 */
export async function restore(options: RestoreOptions): Promise<{ at: string; tables: number; rows: number }> {
  const reader = readBackup(options.source);
  const head = await readHead(reader);
  const { recorded, rest } = split(readMigrations(), head);
  return onSession(options.url, RESTORE, async (client) => {
    await assertAlone(client);
    await client.query('begin');
    const grants = await grantsOf(client);
    await client.query(`drop schema if exists ${SCHEMAS.join(', ')} cascade`);
    await client.query(`drop table if exists ${MIGRATIONS}`);
    await applyWithin(client, recorded);
    await makePartitions(client, head);
    const loaded = await load(client, reader);
    for (const { table, sum } of loaded) {
      const found = await sumOf(client, table);
      if (found.rows !== sum.rows || found.sum !== sum.sum)
        throw new BackupError(`The table ${table.name} did not arrive as it is in the backup`);
    }
    await applyWithin(client, rest);
    await grantAgain(client, grants);
    const keepFiles = options.onFiles?.(head.files);
    await client.query('commit');
    keepFiles?.();
    // The planner knows nothing of the tables yet.
    for (const { table } of loaded) await client.query(`analyze ${table.name}`);
    return { at: head.at, tables: loaded.length, rows: loaded.reduce((rows, { sum }) => rows + sum.rows, 0) };
  });
}

async function readHead(reader: BackupReader): Promise<Head> {
  const { data, success } = Head.safeParse(await reader.line());
  if (!success) throw new BackupError('The file is no backup of Landfall');
  if (data.landfallBackup > FORMAT) throw later();
  return data;
}

const later = (name?: string) =>
  new BackupError(
    `The backup is of a later version of Landfall${name ? ` (it has the migration ${name})` : ''}: restore it with that version, or a later one`,
  );

function split(migrations: readonly Migration[], head: Head): { recorded: Migration[]; rest: Migration[] } {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const recorded = head.migrations.map(({ name, checksum }) => {
    const migration = known.get(name);
    if (!migration) throw later(name);
    if (migration.checksum !== checksum)
      throw new BackupError(`The migration ${name} of the backup is another one than that of this version`);
    return migration;
  });
  const last = recorded.at(-1)?.name ?? '';
  const missing = migrations.find(({ name }) => name <= last && !recorded.some((one) => one.name === name));
  if (missing)
    throw new BackupError(`The backup lacks the migration ${missing.name}: another branch of Landfall made it`);
  return { recorded, rest: migrations.filter(({ name }) => name > last) };
}

const LOCK_TIMEOUT = '55P03';

async function assertAlone(client: pg.Client): Promise<void> {
  await client.query("select set_config('lock_timeout', '5s', false)");
  // A service that starts now waits for the lock. The server may not yet know that an earlier restore was killed.
  await client.query('select pg_advisory_lock($1)', [migrationLock]).catch((error) => {
    if (error.code !== LOCK_TIMEOUT) throw error;
    throw new BackupError('Another restore, or a migration, works on this database: wait for its end');
  });
  const running = await connectionsOfLandfall(client);
  if (running.length > 0)
    throw new BackupError(`Landfall uses this database (${running.join('; ')}): stop everything of it first`);
  const views = await viewsOn(client);
  if (views.length > 0)
    throw new BackupError(
      `Views that are not Landfall's would be lost (${views.join(', ')}): drop them, restore, and make them again`,
    );
}

async function makePartitions(client: pg.Client, { partitions }: Head): Promise<void> {
  const { rows } = await client.query("select c.oid::regclass::text as name from pg_class c where c.relkind = 'p'");
  const parents = new Set(rows.map(({ name }) => name));
  for (const { name, parent, bound } of partitions) {
    if (!parents.has(parent) || !/^\w+\.\w+$/.test(name) || !/^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/.test(bound))
      throw new BackupError(`The backup has a partition that Landfall does not make: ${name}`);
    await client.query(`create table ${name} (like ${parent} including defaults including constraints)`);
    await client.query(`alter table ${parent} attach partition ${name} ${bound}`);
  }
}

async function load(client: pg.Client, reader: BackupReader) {
  const tables = new Map((await tablesOf(client)).map((table) => [table.name, table]));
  const removables = await removablesOf(client);
  for (const { drop } of removables) await client.query(drop);
  await client.query(`truncate ${[...tables.keys()].join(', ')}`);
  const loaded: { table: Table; sum: RowSum }[] = [];
  for (;;) {
    const line = await reader.line();
    const tail = Tail.safeParse(line);
    if (tail.success) {
      await reader.end();
      for (const { name, value, called } of tail.data.sequences)
        await client.query('select setval($1::text::regclass, $2::bigint, $3)', [name, value, called]);
      break;
    }
    const { table: name, columns } = TableHead.parse(line);
    const table = tables.get(name);
    if (!table || columns.some((column) => !table.columns.includes(column)))
      throw new BackupError(`The backup has a table or a column that Landfall does not make, in ${name}`);
    loaded.push({ table: { name, columns }, sum: await copyIn(client, { name, columns }, reader) });
    tables.delete(name);
  }
  if (tables.size > 0) throw new BackupError(`The backup lacks the table ${[...tables.keys()][0]}`);
  for (const { make } of removables.toReversed()) await client.query(make);
  return loaded;
}

async function copyIn(client: pg.Client, { name, columns }: Table, reader: BackupReader): Promise<RowSum> {
  const sums = createRowSums();
  await pipeline(
    Readable.from(reader.rows(sums)),
    client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`)),
  );
  const sum = sums.result();
  const written = TableEnd.parse(await reader.line());
  if (written.rows !== sum.rows || written.sum !== sum.sum)
    throw new BackupError(`The backup is damaged: the rows of ${name} are not those that were written`);
  return sum;
}

/** Some roles, or what they had rights on, may be gone. */
async function grantAgain(client: pg.Client, grants: readonly string[]): Promise<void> {
  for (const grant of grants) {
    await client.query('savepoint grants');
    await client.query(grant).then(
      () => client.query('release savepoint grants'),
      () => client.query('rollback to savepoint grants'),
    );
  }
}
