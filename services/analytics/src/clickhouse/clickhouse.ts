import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { QuestionTooLarge } from '../store.ts';

export type ClickHouse = ReturnType<typeof openClickHouse>;
/** The values of parameters, which a statement writes `{name:Type}`. */
type Values = Readonly<Record<string, unknown>>;

const REQUEST_MS = 60_000;
const CONNECTIONS = 6;

/** Codes of ClickHouse: the question takes too long, or more memory than it may have. */
const TOO_LARGE: ReadonlySet<string> = new Set(['159', '160', '241', '307']);

/** A join without a partner has null, and a table is asked once for each month: an event has the same time in all copies. */
const SETTINGS: ClickHouseSettings = {
  join_use_nulls: 1,
  do_not_merge_across_partitions_select_final: 1,
  output_format_json_quote_64bit_integers: 0,
  date_time_output_format: 'iso',
  max_execution_time: 15,
};

/** @param address `clickhouse://user:password@host:8123/database`, with `?secure=true` for HTTPS */
export function openClickHouse(address: string) {
  const client = createClient({
    ...optionsOf(address),
    request_timeout: REQUEST_MS,
    max_open_connections: CONNECTIONS,
    // Errors are thrown, and logged by who catches them.
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    /** @throws {@link QuestionTooLarge} when it takes too long or too much memory */
    async rows<T>(query: string, query_params?: Values): Promise<T[]> {
      const result = await told(
        client.query({ query, query_params, format: 'JSONEachRow', clickhouse_settings: SETTINGS }),
      );
      return told(result.json<T>());
    },
    async insert(table: string, values: readonly object[]): Promise<void> {
      if (values.length > 0) await told(client.insert({ table, values: [...values], format: 'JSONEachRow' }));
    },
    async run(query: string, query_params?: Values): Promise<void> {
      // Without `wait_end_of_query` an error after the first byte would look like success.
      await told(client.command({ query, query_params, clickhouse_settings: { wait_end_of_query: 1 } }));
    },
    async ping(): Promise<void> {
      const answer = await client.ping({ select: true });
      if (!answer.success) throw answer.error;
    },
    close: () => client.close(),
  };
}

function optionsOf(address: string) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(address);
  const secure = searchParams.get('secure') === 'true';
  return {
    url: `${secure ? 'https' : 'http'}://${hostname}:${port || (secure ? 8443 : 8123)}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || 'default',
    application: 'landfall',
  };
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw typeof code === 'string' && TOO_LARGE.has(code) ? new QuestionTooLarge({ cause: error }) : error;
  }
}
