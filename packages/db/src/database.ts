// One pool of connections, with two interfaces: Prisma for everyday work, plain SQL for statements that carry the load.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { connectionTo } from './connection.ts';
import { type Prisma, PrismaClient } from './generated/client.ts';
import { types, written } from './times.ts';
import { STALE_PLAN } from './transient.ts';

/**
 * When PostgreSQL plans a statement: once for each connection, or each time. A plan made for an empty table still reads
 * the whole table a minute later, when it has a hundred thousand rows. So statements that join such fast-growing tables
 * are planned `anew`, which costs half a millisecond.
 */
export type Planned = 'once' | 'anew';

/** Runs plain SQL. The text must be constant: it is prepared once for each connection, unless `planned` is `anew`. */
export interface Sql {
  /** Pass arrays for `unnest($1::uuid[], …)`, Buffers for bytea, Dates for timestamptz. */
  rows<T extends object>(text: string, values?: readonly unknown[], planned?: Planned): Promise<T[]>;
}

/**
 * Sends each statement immediately, without waiting for the answer to the one before. The server runs them in that
 * order. Start statements together when they do not need each other's rows: they then share one round trip.
 */
export interface SqlTransaction extends Sql {
  /** Sends a statement, with the next ones or the commit, without waiting. If it fails, the transaction fails. */
  send(text: string, values?: readonly unknown[], planned?: Planned): void;
}

/** A transaction of the Prisma client, for tables with few rows. */
export type PrismaTransaction = Prisma.TransactionClient;

export interface Database extends Sql {
  readonly prisma: PrismaClient;
  /** Read committed. When `run` throws or a statement fails, rolls back, and rejects with the first of these errors. */
  transaction<T>(run: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** Resolves when the server has ended the connections, after one second at the latest. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  url: string;
  max: number;
  /** Timeouts in milliseconds. A missing one keeps its default. */
  limits?: Partial<typeof defaultLimits>;
  /** Called when an idle connection breaks. The pool replaces it. */
  onIdleError?(error: Error): void;
}

const defaultLimits = {
  /** For getting a connection, from the pool or from the server. */
  connect: 2_000,
  statement: 5_000,
  lock: 2_000,
  /** For a transaction that does nothing. A machine that disappears must not keep its locks. */
  idleTransaction: 10_000,
};

const names = new Map<string, string>();

/** The same text has the same name. */
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

/**
 * Sends everything that is written in one turn of the event loop as one packet. The driver writes each statement for
 * itself, and each packet would cost both processes a system call and PostgreSQL a wake-up.
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

function transactionOn(client: pg.Client) {
  /** The first one. After it, the server refuses the remaining statements without giving the reason. */
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
      // If a statement could not be written, it failed immediately, and the server does not know about it.
      if (failure) throw failure;
      await ask({ text: 'commit' });
      // Answers come in order, so all earlier statements have their answers here.
      if (failure) throw failure;
    },
    failure: () => failure,
  };
}

/** The milliseconds that the server has to close its side of the connections. A frozen server never closes it. */
const END_WITHIN_MS = 1_000;

/** Returns a wait for the last connection. `pool.end()` resolves when it has only asked its connections to close. */
function untilGone(pool: pg.Pool): () => Promise<void> {
  let open = 0;
  let whenGone = () => {};
  pool.on('connect', () => {
    open++;
  });
  pool.on('remove', () => {
    open--;
    if (open === 0) whenGone();
  });
  return () =>
    new Promise((resolve) => {
      if (open === 0) return resolve();
      const late = setTimeout(resolve, END_WITHIN_MS);
      whenGone = () => {
        clearTimeout(late);
        resolve();
      };
    });
}

/** Opens the pool. It sends nothing to the server before the first query. */
export function connect(options: ConnectOptions): Database {
  const limits = { ...defaultLimits, ...options.limits };
  const pool = new pg.Pool(
    connectionTo(options.url, {
      max: options.max,
      // A restore sees by it that we run.
      min: 1,
      connectionTimeoutMillis: limits.connect,
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      idle_in_transaction_session_timeout: limits.idleTransaction,
      application_name: 'landfall',
      types,
      // A statement does not wait for the answer to the one before.
      pipeline: true,
    }),
  );
  let closing = false;
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', (error) => {
    if (!closing) options.onIdleError?.(error);
  });
  const gone = untilGone(pool);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    // Longer error messages would contain the arguments of the call, and these contain people's input.
    errorFormat: 'minimal',
  });
  return {
    rows: async <T extends object>(text: string, values: readonly unknown[] = [], planned?: Planned) =>
      (await pool.query(prepared(text, values, planned))).rows as T[],
    prisma,
    async transaction(run) {
      const client = await pool.connect();
      let broken: Error | undefined;
      // The pool does not listen for errors on a connection that is in use.
      const onBroken = (error: Error) => {
        broken = error;
      };
      client.on('error', onBroken);
      // The cast is safe: the pool only creates `pg.Client`s.
      const tx = transactionOn(client as pg.PoolClient & pg.Client);
      try {
        const result = await run(tx);
        await tx.commit();
        return result;
      } catch (error) {
        const failure = tx.failure();
        // After an error that does not come from the server, the driver's list of prepared statements is wrong.
        if (failure && (!(failure instanceof pg.DatabaseError) || STALE_PLAN.test(failure.message))) onBroken(failure);
        else await client.query('rollback').catch(onBroken);
        throw failure ?? error;
      } finally {
        client.off('error', onBroken);
        // The pool does not reuse a connection that broke or could not roll back.
        client.release(broken);
      }
    },
    async close() {
      closing = true;
      await prisma.$disconnect();
      await pool.end();
      await gone();
    },
  };
}
