// Questions to PostgreSQL: at the start, whether Landfall can use it, and while it runs, whether it answers.
import { applyMigrations, connect, type Database, isTransient } from '@landfall/db';
import { type Check, reasonOf, StartError } from '@landfall/runtime';
import pTimeout from 'p-timeout';

/** Throws a sentence that ends the start when the database does not answer, or cannot be used. */
export async function assertUsable(url: string): Promise<{ empty: boolean }> {
  try {
    return await askOnce(url);
  } catch (error) {
    throw new StartError(`DATABASE_URL names a PostgreSQL that cannot be used: ${reasonOf(error)}.`);
  }
}

/** Returns the names of what was applied. Throws a sentence when that is not possible. */
export async function migrate(url: string): Promise<string[]> {
  try {
    return await applyMigrations(url);
  } catch (error) {
    throw new StartError(`The database is not up to date: ${reasonOf(error).replace(/\.?$/, '.')}`, { cause: error });
  }
}

interface Server {
  /** It has no tables of Landfall. */
  empty: boolean;
  version: string;
  number: number;
  encoding: string;
  readOnly: boolean;
  makesSchemas: boolean;
  /** The schema in which a table without a schema is made. Null: there is none. */
  schema: string | null;
  makesTables: boolean | null;
}

const OLDEST = 140_000;

/** Rejects with the error of the connection, or with the reason why it cannot be used. */
export async function askOnce(url: string): Promise<{ empty: boolean }> {
  const database = connect({ url, max: 1 });
  try {
    const [server] = await database.rows<Server>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
         current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as "readOnly",
         to_regclass('_prisma_migrations') is null as empty, current_schema() as schema,
         has_database_privilege(current_database(), 'create') as "makesSchemas",
         has_schema_privilege(current_schema(), 'create') as "makesTables"`,
    );
    const fault = faultOf(server!);
    if (fault) throw new Error(fault);
    return { empty: server!.empty };
  } catch (error) {
    throw withHint(error as Error);
  } finally {
    await database.close();
  }
}

function faultOf({ version, number, encoding, readOnly, ...server }: Server): string | undefined {
  if (number < OLDEST) return `it is PostgreSQL ${version}, and Landfall needs 14 or newer`;
  if (encoding !== 'UTF8')
    return `its encoding is ${encoding}, and Landfall needs UTF8 (create database landfall encoding 'UTF8' template template0)`;
  if (readOnly) return 'it takes no writes: it follows another server, or the database or the role is set to read only';
  if (!server.empty) return undefined;
  if (!server.makesSchemas) return 'its role may not make schemas (grant create on database … to …)';
  if (server.schema === null) return 'its role has no schema for the table of migrations (see search_path)';
  if (!server.makesTables)
    return `its role may not make tables in the schema ${server.schema} (grant create on schema ${server.schema} to …)`;
  return undefined;
}

/** The driver takes PGSSLMODE=prefer for "require". */
function withHint(error: Error): Error {
  if (!/does not support SSL/.test(error.message)) return error;
  return new Error(`${error.message} (say ?sslmode=disable in the URL, or see PGSSLMODE)`, { cause: error });
}

/** SQLSTATE of a wrong password, or of a database that does not exist. They do not pass by themselves. */
const REFUSED = /^(28|3D)/;

export const isAway = (error: unknown): boolean =>
  isTransient(error) && !REFUSED.test(`${(error as { code?: string }).code}`);

/** A server that hangs answers nothing, and whoever asks for /readyz waits a few seconds at the most. */
const WITHIN_MS = 2_500;

/** Its line of /readyz. One question at a time: one that is not answered keeps its connection. */
export function databaseCheck(database: Pick<Database, 'rows'>): () => Promise<Check> {
  let asked: Promise<Check> | undefined;
  const ask = async (): Promise<Check> => {
    try {
      await database.rows('select 1');
      return { ok: true };
    } finally {
      asked = undefined;
    }
  };
  return async () => {
    asked ??= ask();
    const detail = `PostgreSQL has not answered for ${WITHIN_MS / 1000} s`;
    return pTimeout(asked, { milliseconds: WITHIN_MS, fallback: () => ({ ok: false, detail }) });
  };
}
