// One pool for each process, spoken to in two ways: Prisma for everyday reads and writes, plain SQL for the few
// statements that carry the load.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import { types, written } from './times.ts';

/** Runs plain SQL. The text must be constant: it is prepared once for each connection. */
export interface Sql {
  /** Arrays go into `unnest($1::uuid[], …)`, Buffers into bytea, Dates into timestamptz. */
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
}

export interface Database extends Sql {
  readonly prisma: PrismaClient;
  /** Read committed. Rolls back when `run` throws, and rethrows. */
  transaction<T>(run: (tx: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  url: string;
  /** Connections at the most. */
  max: number;
  /** In milliseconds; what is left out keeps its default. */
  limits?: Partial<typeof defaultLimits>;
  /** Told of a connection that broke while nobody used it; the pool replaces it. */
  onIdleError?(error: Error): void;
}

const defaultLimits = {
  /** To get a connection, from the pool or from the server. */
  connect: 2_000,
  statement: 5_000,
  lock: 2_000,
  /** A transaction that does nothing: a machine that vanished must not keep its locks. */
  idleTransaction: 10_000,
};

const names = new Map<string, string>();

/** A name for a prepared statement: the same for the same text. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `landfall_${names.size}`;
  names.set(text, name);
  return name;
}

function sqlOn(target: pg.Pool | pg.PoolClient): Sql {
  return {
    async rows<T extends object>(text: string, values: readonly unknown[] = []) {
      const result = await target.query({ name: nameOf(text), text, values: written(values) });
      return result.rows as T[];
    },
  };
}

/** Opens the pool. Nothing is asked of the server before the first query. */
export function connect(options: ConnectOptions): Database {
  const limits = { ...defaultLimits, ...options.limits };
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleTransaction,
    application_name: 'landfall',
    // Times are answered in one form. A statement is planned once: its plan must not change with what the statistics, which
    // are always a little behind, say about one batch's values.
    options: '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
    types,
  });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    ...sqlOn(pool),
    prisma,
    async transaction(run) {
      const client = await pool.connect();
      let broken: Error | undefined;
      // The pool stops listening to a connection that it gave away.
      const onBroken = (error: Error) => {
        broken = error;
      };
      client.on('error', onBroken);
      try {
        await client.query('begin');
        const result = await run(sqlOn(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(onBroken);
        throw error;
      } finally {
        client.off('error', onBroken);
        // A connection that broke or cannot roll back is not given to anyone else.
        client.release(broken);
      }
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
