// Counts clicks per link and hour into PostgreSQL until the process is stopped.
import type { SASLOptions } from 'kafkajs';
import { Pool } from 'pg';
import { countClicks } from './count-clicks.ts';

const {
  DATABASE_URL,
  KAFKA_BROKERS,
  KAFKA_SASL_USERNAME,
  KAFKA_SASL_PASSWORD,
  TOPIC = 'link.clicked',
  GROUP = 'clicks-per-hour',
  KEEP_DAYS = '15',
} = process.env;
const say = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);

if (!DATABASE_URL || !KAFKA_BROKERS) {
  console.error('Set DATABASE_URL (postgresql://…) and KAFKA_BROKERS (host:port, comma-separated).');
  process.exit(2);
}
const pool = new Pool({
  connectionString: DATABASE_URL,
  max: 5,
  connectionTimeoutMillis: 5_000,
  // Shorter than the session timeout of the group: a member that hangs releases its locks for the next owner.
  statement_timeout: 5_000,
  query_timeout: 8_000,
  idle_in_transaction_session_timeout: 5_000,
});
pool.on('error', (error) => say(`a connection to PostgreSQL ended: ${error.message}`));

try {
  const counting = await countClicks({
    brokers: KAFKA_BROKERS.split(','),
    sasl: sasl(),
    topic: TOPIC,
    group: GROUP,
    pool,
    keepDays: Number(KEEP_DAYS),
    say,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => counting.stop().catch(fail));
  await counting.ended;
  await pool.end();
} catch (error) {
  fail(error);
}

function sasl(): SASLOptions | undefined {
  if (!KAFKA_SASL_USERNAME || !KAFKA_SASL_PASSWORD) return undefined;
  return { mechanism: 'plain', username: KAFKA_SASL_USERNAME, password: KAFKA_SASL_PASSWORD };
}

/** Ends the process with an error. The supervisor starts it again: no click is lost and no click is counted twice. */
function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
