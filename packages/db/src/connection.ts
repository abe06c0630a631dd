// The settings of a connection: those of the URL, and those on which our statements rely.
import type pg from 'pg';
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

/**
 * Returns the settings of a connection to a `postgresql://` URL. What the URL itself says comes first, except for the
 * settings of the session: with `?options=` it adds others.
 */
export function connectionTo(url: string, defaults: pg.PoolConfig): pg.PoolConfig {
  const { options, ...given } = parseIntoClientConfig(url);
  return { ...defaults, ...given, options: options ? `${options} ${SESSION}` : SESSION };
}
