// The settings of a connection: those of the URL, and those on which our statements rely.
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

/**
 * A role, a database or PGOPTIONS may set each of these otherwise. The first group decides how values are written and
 * read. Generic plan: a statement is planned once. Its plan must not change with what the statistics, which are always
 * slightly out of date, contain about the values of one batch.
 */
const SESSION = [
  ['timezone', 'UTC'],
  ['datestyle', 'ISO'],
  ['intervalstyle', 'postgres'],
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  ['array_nulls', 'on'],
  ['standard_conforming_strings', 'on'],
  ['transform_null_equals', 'off'],
  ['default_transaction_isolation', 'read\\ committed'],
  ['default_transaction_deferrable', 'off'],
  ['plan_cache_mode', 'force_generic_plan'],
]
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** What the URL says comes first, except for the settings of the session: with `?options=` it adds others. */
export function connectionTo(url: string, defaults: pg.PoolConfig): pg.PoolConfig {
  const { options, ...given } = parseIntoClientConfig(url);
  return { ...defaults, ...given, options: options ? `${options} ${SESSION}` : SESSION };
}

/** Runs on a connection of its own, and ends it, also in the middle of a COPY. The URL goes before `settings`. */
export async function onConnection<T>(
  url: string,
  settings: pg.PoolConfig,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connectionTo(url, { connectionTimeoutMillis: 10_000, ...settings }));
  // A broken connection rejects the running statement. Without a listener it would also end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const result = await run(client);
    await client.end();
    return result;
  } catch (error) {
    // An orderly end would wait for the rows of a COPY that nobody reads any more.
    client.connection.stream.destroy();
    throw error;
  }
}
