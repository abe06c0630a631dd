// Writes a migration from the state of prisma/migrations to the current schema: `npm run migration -- add-campaigns`.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbedded } from '../embedded/embedded.ts';
import { applyMigrations, migrationsFolder } from '../migrate.ts';
import { schemaDiff } from './schema-diff.ts';

const lockFile = `# Prisma reads this. Do not edit it.
provider = "postgresql"
`;

async function missingSql(): Promise<string | undefined> {
  const dir = mkdtempSync(path.join(tmpdir(), 'landfall-migration-'));
  // If we are root, PostgreSQL runs as another user and must be able to enter this folder.
  chmodSync(dir, 0o755);
  try {
    const server = await startEmbedded({ dir: path.join(dir, 'postgres'), durable: false });
    try {
      await applyMigrations(server.superuserUrl);
      return await schemaDiff(server.superuserUrl);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function write(name: string, sql: string): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = path.join(migrationsFolder, `${time}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'migration.sql'), sql);
  writeFileSync(path.join(migrationsFolder, 'migration_lock.toml'), lockFile);
  return path.join(folder, 'migration.sql');
}

const name = process.argv[2]?.replaceAll('-', '_') ?? '';
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Give the migration a name of lower-case words: npm run migration -- add-campaigns');
  process.exit(1);
}
mkdirSync(migrationsFolder, { recursive: true });
const sql = await missingSql();
console.log(
  sql
    ? `Wrote ${path.relative(process.cwd(), write(name, sql))}: read it before it is committed.`
    : 'The migrations cover the schema: there is nothing to write.',
);
