// The connection of a backup or a restore: it has no time limits, because tables may be large.
import pg from 'pg';
import { connectionTo } from '../connection.ts';
import { BackupError } from './format.ts';

/** Runs on one connection, and ends it, also in the middle of a COPY. */
export async function onSession<T>(url: string, name: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionTo(url, { application_name: name, connectionTimeoutMillis: 10_000 }));
  // A broken connection rejects the running statement. Without a listener it would also end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(
      `select set_config(name, '0', false) from pg_settings where name in ('statement_timeout', 'transaction_timeout',
         'idle_in_transaction_session_timeout', 'idle_session_timeout')`,
    );
    const { rows } = await client.query("select current_setting('server_encoding') as encoding");
    if (rows[0].encoding !== 'UTF8')
      throw new BackupError(`The database has the encoding ${rows[0].encoding}, and Landfall needs UTF8`);
    const result = await run(client);
    await client.end();
    return result;
  } catch (error) {
    // An orderly end would wait for the rows that nobody reads any more.
    client.connection.stream.destroy();
    throw error;
  }
}
