// One pool for each process, spoken to in two ways: Prisma for everyday reads and writes, plain SQL for the few
// statements that carry the load.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from './generated/client.ts';
import { types, written } from './times.ts';
import { STALE_PLAN } from './transient.ts';

/**
 * When a statement is planned: once for each connection, or each time. A plan that is made while a table is empty reads all of it
 * a minute later, when it has a hundred thousand rows; so what joins tables that grow so fast is planned `anew`, for half a
 * millisecond.
 */
export type Planned = 'once' | 'anew';

/** Runs plain SQL. The text must be constant: it is prepared once for each connection, unless it is planned anew. */
export interface Sql {
  /** Arrays go into `unnest($1::uuid[], …)`, Buffers into bytea, Dates into timestamptz. */
  rows<T extends object>(text: string, values?: readonly unknown[], planned?: Planned): Promise<T[]>;
}

/**
 * Statements go out when they are asked for, one behind the other, and are done in that order: those that need no earlier
 * one's rows are best asked for together, so that they make one journey.
 */
export interface SqlTransaction extends Sql {
  /** A statement whose rows nobody needs: it travels with what follows, the commit at the latest, and fails the transaction. */
  send(text: string, values?: readonly unknown[], planned?: Planned): void;
}

/** A transaction of the Prisma client, for the tables whose rows are few. */
export type PrismaTransaction = Prisma.TransactionClient;

export interface Database extends Sql {
  readonly prisma: PrismaClient;
  /** Read committed. Rolls back when `run` throws or a statement fails, and rejects with the first of these errors. */
  transaction<T>(run: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** Resolves when the server has ended the connections, after a second at the latest. */
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

const prepared = (text: string, values: readonly unknown[], planned: Planned = 'once'): pg.QueryConfig => {
  if (values.length === 0) return { text };
  const query = { text, values: written(values) };
  return planned === 'once' ? { name: nameOf(text), ...query } : query;
};

interface OpenTransaction extends SqlTransaction {
  /** After everything that was asked for. */
  commit(): Promise<void>;
  /** The first failure. After it the server refuses the remaining statements without a reason. */
  failure(): Error | undefined;
}

/**
 * Sends what is written in one turn of the event loop as one packet. The driver writes each statement by itself; those of a
 * transaction are sent together, and each packet would cost both processes a system call and PostgreSQL a wake-up.
 */
function packing({ stream }: pg.Connection): () => void {
  let held = false;
  return () => {
    if (held) return;
    held = true;
    stream.cork();
    process.nextTick(() => {
      held = false;
      stream.uncork();
    });
  };
}

function transactionOn(client: pg.Client): OpenTransaction {
  let failure: Error | undefined;
  const pack = packing(client.connection);
  const ask = (query: pg.QueryConfig): Promise<pg.QueryResult> =>
    new Promise((resolve, reject) => {
      pack();
      client.query(query, (error: Error | null, result: pg.QueryResult) => {
        if (!error) return resolve(result);
        failure ??= error;
        reject(error);
      });
    });
  const send: SqlTransaction['send'] = (text, values = [], planned) => {
    ask(prepared(text, values, planned)).catch(() => {});
  };
  send('begin');
  return {
    rows: async <T extends object>(text: string, values: readonly unknown[] = [], planned?: Planned) =>
      (await ask(prepared(text, values, planned))).rows as T[],
    send,
    async commit() {
      // A statement that could not be written failed at once, and the server does not know of it.
      if (failure) throw failure;
      await ask({ text: 'commit' });
      // Answers come in order: whatever was sent before has answered.
      if (failure) throw failure;
    },
    failure: () => failure,
  };
}

/** Milliseconds that the server may take to end its side of the connections: a frozen server never does. */
const END_WITHIN_MS = 1_000;

/** Counts what is open: a pool says that it has ended when it has only asked its connections to. */
function connectionsOf(pool: pg.Pool): { gone(): Promise<void> } {
  let open = 0;
  let whenGone = () => {};
  pool.on('connect', () => {
    open++;
  });
  pool.on('remove', () => {
    open--;
    if (open === 0) whenGone();
  });
  return {
    gone: () =>
      new Promise((resolve) => {
        if (open === 0) return resolve();
        const late = setTimeout(resolve, END_WITHIN_MS);
        whenGone = () => {
          clearTimeout(late);
          resolve();
        };
      }),
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
    // A statement does not wait for the answer to the one before.
    pipeline: true,
  });
  let closing = false;
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', (error) => {
    if (!closing) options.onIdleError?.(error);
  });
  const left = connectionsOf(pool);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    // Its messages would hold the arguments of the call, and these hold what people gave.
    errorFormat: 'minimal',
  });
  return {
    rows: async <T extends object>(text: string, values: readonly unknown[] = [], planned?: Planned) =>
      (await pool.query(prepared(text, values, planned))).rows as T[],
    prisma,
    async transaction(run) {
      const client = await pool.connect();
      let broken: Error | undefined;
      // The pool stops listening to a connection that it gave away.
      const onBroken = (error: Error) => {
        broken = error;
      };
      client.on('error', onBroken);
      // The pool makes nothing else.
      const tx = transactionOn(client as pg.PoolClient & pg.Client);
      try {
        const result = await run(tx);
        await tx.commit();
        return result;
      } catch (error) {
        const failure = tx.failure();
        // After an error that the server did not send, the driver has a wrong list of prepared statements.
        if (failure && (!(failure instanceof pg.DatabaseError) || STALE_PLAN.test(failure.message))) onBroken(failure);
        else await client.query('rollback').catch(onBroken);
        throw failure ?? error;
      } finally {
        client.off('error', onBroken);
        // A connection that broke or cannot roll back is not given to anyone else.
        client.release(broken);
      }
    },
    async close() {
      closing = true;
      await prisma.$disconnect();
      await pool.end();
      await left.gone();
    },
  };
}
