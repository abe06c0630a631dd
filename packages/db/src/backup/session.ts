// The connection of a backup or a restore: it has no time limits, because tables may be large.
import type pg from 'pg';
import { onConnection } from '../connection.ts';
import { BackupError } from './format.ts';

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
