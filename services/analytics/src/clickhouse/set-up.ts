// Makes the tables in ClickHouse, and lets it read the topics. The statements are in deploy/clickhouse.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ClickHouse } from './clickhouse.ts';

interface EventSource {
  /** Addresses of brokers, as ClickHouse reaches them. */
  readonly brokers: readonly string[];
  readonly topics: readonly string[];
  readonly group: string;
  readonly tls: boolean;
  /** The mechanism as Kafka writes it, for example `SCRAM-SHA-512`. */
  readonly sasl: { readonly mechanism: string; readonly username: string; readonly password: string } | undefined;
}

const FOLDER = new URL('../../../../deploy/clickhouse/', import.meta.url);
const EVENTS = '2-events.sql';

/** Makes the tables that are missing, and changes those of an older version. */
export const makeTables = (clickhouse: ClickHouse, keepDays: number): Promise<void> =>
  apply(clickhouse, '1-tables.sql', { KEEP_ANALYTICS_DAYS: String(keepDays) });

/**
 * Lets ClickHouse read the topics from where its group has come, and a new group from their beginning. Does nothing when it
 * reads them already: a reader that is made anew waits until Kafka has forgotten the one before, for most of a minute.
 */
export async function readTopics(clickhouse: ClickHouse, source: EventSource): Promise<void> {
  const { brokers, topics, group, tls, sasl } = source;
  const values = {
    KAFKA_BROKERS: brokers.join(),
    KAFKA_TOPICS: topics.join(),
    KAFKA_GROUP: group,
    KAFKA_SECURITY_PROTOCOL: `${sasl ? 'sasl_' : ''}${tls ? 'ssl' : 'plaintext'}`,
    KAFKA_SASL_MECHANISM: sasl?.mechanism ?? '',
    KAFKA_SASL_USERNAME: sasl?.username ?? '',
    KAFKA_SASL_PASSWORD: sasl?.password ?? '',
  };
  const checksum = hash('sha256', (await readFile(new URL(EVENTS, FOLDER), 'utf8')) + JSON.stringify(values));
  const reader = await readerOf(clickhouse);
  if (reader?.checksum !== checksum) await apply(clickhouse, EVENTS, { ...values, CHECKSUM: checksum });
}

/** What reads the topics now; undefined when nothing does. */
export async function readerOf(clickhouse: ClickHouse): Promise<{ group: string; checksum: string } | undefined> {
  const [row] = await clickhouse.rows<{ group: string; checksum: string }>(
    `select extract(create_table_query, 'kafka_group_name = \\'([^\\']+)\\'') as group, comment as checksum
     from system.tables where database = currentDatabase() and name = 'events'`,
  );
  return row;
}

async function apply(clickhouse: ClickHouse, file: string, values: Readonly<Record<string, string>>): Promise<void> {
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  for (const statement of statementsOf(text, values)) await clickhouse.run(statement);
}

/** Returns the statements of a file. `${NAME}` stands for a value, within quotation marks or as a number. */
function statementsOf(text: string, values: Readonly<Record<string, string>>): string[] {
  const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for ${name}`);
    return value.replace(/[\\']/g, '\\$&');
  });
  return filled
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '');
}
