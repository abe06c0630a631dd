// Computes what a database lacks of the Prisma schema. Prisma's command line needs a binary engine for this. The
// packages contain the same engine as WebAssembly.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Undefined: the database needs nothing. Only reads it. */
export async function schemaDiff(url: string): Promise<string | undefined> {
  const files = schemaFiles();
  // A pool of its own: the engine's advisory lock lasts as long as its connection. The adapter takes no connection string.
  const pool = new pg.Pool({ ...parseIntoClientConfig(url), max: 2, Client: ClientForCatalog });
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
    const models = files.map(({ path, content }): [string, string] => [path, content]);
    const engine = await SchemaEngine.new({ datamodels: models }, () => {}, factory);
    try {
      const found = await engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: root },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: true,
        filters: { externalTables: [], externalEnums: [] },
      });
      return found.exitCode === 0 ? undefined : (found.stdout ?? '');
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

function schemaFiles(): { path: string; content: string }[] {
  const folder = path.join(root, 'prisma');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => path.join(folder, name))
    .map((file) => ({ path: file, content: readFileSync(file, 'utf8') }));
}

const internalChar = 18;
const text = 25;

/** The adapter does not know PostgreSQL's type "char", common in the catalog. This client reports it as text. */
class ClientForCatalog extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: one body for all overloads of pg
  override query(...args: any[]): any {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: pg.QueryResult) => callback(error, asText(result));
    }
    // @ts-expect-error one body for all overloads of pg
    const answer = super.query(...args);
    return typeof answer?.then === 'function' ? answer.then(asText) : answer;
  }
}

function asText(result: pg.QueryResult): pg.QueryResult {
  for (const field of result?.fields ?? []) if (field.dataTypeID === internalChar) field.dataTypeID = text;
  return result;
}
