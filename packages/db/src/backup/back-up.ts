// Writes everything that a database holds of Landfall while the services run: one snapshot, so rows fit together.
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { onConnection } from '../connection.ts';
import { MIGRATIONS, partitionsOf, sequencesOf, type Table, tablesOf } from './catalog.ts';
import { BackupError, END_OF_ROWS, FORMAT, type Head, type TableHead, type Tail } from './format.ts';
import { createRowSums, type RowSum, type RowSums, summed } from './row-sums.ts';

export interface BackupOptions {
  url: string;
  /** The files of the installation that belong to the data: their content by name. */
  files: Readonly<Record<string, string>>;
  now: Date;
  /** Writes the text, which comes in parts. Resolves when all of it is written. */
  write(text: AsyncIterable<Buffer | string>): Promise<void>;
}

export function backUp(options: BackupOptions): Promise<{ tables: number; rows: number }> {
  return onSession(options.url, 'landfall backup', async (client) => {
    const tables = await snapshot(client);
    const held = { tables: tables.length, rows: 0 };
    await options.write(text());
    return held;

    async function* text(): AsyncGenerator<Buffer | string> {
      yield line(await headOf(client, options));
      for (const { name, columns } of tables) {
        yield line({ table: name, columns });
        const sums = createRowSums();
        yield* rowsOf(client, { name, columns }, sums);
        yield `${END_OF_ROWS}\n`;
        yield line(sums.result());
        held.rows += sums.result().rows;
      }
      // Numbers are taken outside of any snapshot. After the rows, no number lies below one of theirs.
      yield line({ sequences: await sequencesOf(client) });
      await client.query('commit');
    }
  });
}

const line = (value: Head | TableHead | RowSum | Tail): string => `${JSON.stringify(value)}\n`;

/** Begins the snapshot, and returns its tables. No table can be dropped or changed until it ends. */
async function snapshot(client: pg.Client): Promise<Table[]> {
  const names = (await tablesOf(client)).map(({ name }) => name);
  if (!names.includes(MIGRATIONS)) throw new BackupError('The database has no tables of Landfall');
  await client.query('begin isolation level repeatable read read only');
  await client.query(`lock table ${names.join(', ')} in access share mode`);
  // A table that was made in between is in the snapshot, too.
  return tablesOf(client);
}

async function headOf(client: pg.Client, { files, now }: BackupOptions): Promise<Head> {
  const { rows: migrations } = await client.query(
    `select migration_name as name, checksum from ${MIGRATIONS} where rolled_back_at is null order by 1`,
  );
  const { rows: servers } = await client.query("select current_setting('server_version') as version");
  const partitions = await partitionsOf(client);
  const server = `PostgreSQL ${servers[0].version}`;
  return { landfallBackup: FORMAT, at: now.toISOString(), server, migrations, partitions, files };
}

/** One row in a line. Adds each to `sums`. */
const rowsOf = (client: pg.Client, { name, columns }: Table, sums: RowSums): AsyncGenerator<Buffer> =>
  summed(client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`)), sums);

export async function sumOf(client: pg.Client, table: Table): Promise<RowSum> {
  const sums = createRowSums();
  for await (const _ of rowsOf(client, table, sums));
  return sums.result();
}

/** The connection of a backup or a restore: it has no time limits, because tables may be large. */
export const onSession = <T>(url: string, name: string, run: (client: pg.Client) => Promise<T>): Promise<T> =>
  onConnection(url, { application_name: name }, async (client) => {
    await client.query(
      `select set_config(name, '0', false) from pg_settings where name in ('statement_timeout', 'transaction_timeout',
         'idle_in_transaction_session_timeout', 'idle_session_timeout')`,
    );
    const { rows } = await client.query("select current_setting('server_encoding') as encoding");
    if (rows[0].encoding !== 'UTF8')
      throw new BackupError(`The database has the encoding ${rows[0].encoding}, and Landfall needs UTF8`);
    return run(client);
  });
