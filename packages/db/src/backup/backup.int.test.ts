// A backup, and what a restore makes of it: with every table filled, damaged, interrupted, beside a running service.
// Full run: it backs whole databases up and restores them.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database.testing.ts';
import { connect } from '../database.ts';
import { applyMigrations, migrationLock, readMigrations } from '../migrate.ts';
import { backUp, onSession, sumOf } from './back-up.ts';
import { partitionsOf, SCHEMAS, sequencesOf, tablesOf } from './catalog.ts';
import { fillEveryTable } from './fill.testing.ts';
import { restore } from './restore.ts';
import type { RowSum } from './row-sums.ts';

const serverUrl = inject('databaseServerUrl');
let from: TestDatabase;
/** What `from` holds, and its backup. No test changes `from`. */
let content: Awaited<ReturnType<typeof contentOf>>;
let backup: Buffer;
let to: TestDatabase;
beforeAll(async () => {
  from = await createTestDatabase(serverUrl);
  await fillEveryTable(from.url);
  content = await contentOf(from.url);
  backup = await backupOf(from.url);
});
afterAll(() => from?.drop());
beforeEach(async () => {
  to = await createTestDatabase(serverUrl);
});
afterEach(() => to.drop());

const files = { 'hash-secret': 'h'.repeat(64) };

/** @param onFirst runs when the first part is there */
async function backupOf(url: string, onFirst = async () => {}): Promise<Buffer> {
  const parts: Buffer[] = [];
  const write = async (text: AsyncIterable<Buffer | string>) => {
    for await (const part of text) {
      parts.push(Buffer.from(part));
      if (parts.length === 1) await onFirst();
    }
  };
  await backUp({ url, files, now: new Date(0), write });
  return Buffer.concat(parts);
}

/** In small parts, so that lines are cut anywhere. */
async function* inParts(text: Buffer, size = 1_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

/** Everything that the database holds of Landfall: the sum of each table, its definition, numbers, indexes, keys. */
const contentOf = (url: string) =>
  onSession(url, 'test', async (client) => {
    const tables: Record<string, [columns: string[], RowSum]> = {};
    for (const table of await tablesOf(client)) tables[table.name] = [table.columns, await sumOf(client, table)];
    const list = async (text: string) => (await client.query(text, [SCHEMAS])).rows.map(({ one }) => one);
    return {
      tables,
      partitions: await partitionsOf(client),
      sequences: await sequencesOf(client),
      constraints: await list(
        `select format('%s %s', conrelid::regclass, pg_get_constraintdef(c.oid)) as one from pg_constraint c
         join pg_namespace n on n.oid = c.connamespace where n.nspname = any ($1) order by 1`,
      ),
      indexes: await list(
        `select format('%s %s', tablename, regexp_replace(indexdef, ' INDEX \\S+ ', ' ')) as one from pg_indexes
         where schemaname = any ($1) order by 1`,
      ),
    };
  });

/** The content of the other database before a restore that must change nothing. */
async function filledTarget() {
  await fillEveryTable(to.url, 3);
  return contentOf(to.url);
}

describe('a backup and its restore', () => {
  it('hold every table, row by row, with numbers, partitions, indexes and keys', async () => {
    for (const [name, [, { rows }]] of Object.entries(content.tables)) expect(rows, name).toBeGreaterThan(0);
    let taken: object = {};
    const summary = await restore({
      url: to.url,
      source: inParts(backup),
      onFiles: (given) => () => {
        taken = given;
      },
    });
    expect(await contentOf(to.url)).toEqual(content);
    expect(taken).toEqual(files);
    expect(summary).toMatchObject({ at: '1970-01-01T00:00:00.000Z', tables: Object.keys(content.tables).length });
    // The next number is one that no row has.
    const database = connect({ url: to.url, max: 1 });
    await database.rows("insert into analytics.inbox (event, messages) values ('a', 'b')");
    await database.close();
  });

  it('need no rights but those on the database, and keep the rights of other roles', async () => {
    const role = `r_${randomBytes(4).toString('hex')}`;
    const own = new URL(to.url);
    own.username = role;
    own.password = 'x';
    await onSession(to.url, 'test', async (client) => {
      await client.query(`drop schema ${SCHEMAS.join(', ')} cascade; drop table _prisma_migrations`);
      await client.query(`create role ${role} login password 'x'; create role ${role}_reads`);
      await client.query(`alter database ${new URL(to.url).pathname.slice(1)} owner to ${role}`);
      await client.query('grant create on schema public to public');
    });
    await restore({ url: own.href, source: inParts(backup, 100_000) });
    await onSession(own.href, 'test', async (client) => {
      await client.query(`grant usage on schema link to ${role}_reads; grant select on link.links to ${role}_reads`);
    });
    await restore({ url: own.href, source: inParts(backup, 100_000) });
    await onSession(own.href, 'test', async (client) => {
      const { rows } = await client.query("select has_table_privilege($1, 'link.links', 'select') as reads", [
        `${role}_reads`,
      ]);
      expect(rows).toEqual([{ reads: true }]);
    });
    expect(await contentOf(to.url)).toEqual(content);
    await onSession(to.url, 'test', async (client) => {
      await client.query(`drop owned by ${role}_reads; drop role ${role}_reads`);
      await client.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
    });
  });

  it('bring the tables up to date that an earlier version has backed up', async () => {
    const all = readMigrations();
    const { indexes, constraints } = await contentOf(to.url);
    await onSession(to.url, 'test', async (client) => {
      await client.query(`drop schema ${SCHEMAS.join(', ')} cascade; drop table _prisma_migrations`);
    });
    await applyMigrations(to.url, all.slice(0, -3));
    await restore({ url: to.url, source: inParts(await backupOf(to.url)) });
    expect(await applyMigrations(to.url, all)).toEqual([]);
    expect(await contentOf(to.url)).toMatchObject({ indexes, constraints });
  });

  it('are refused in a sentence, and change nothing, when the file is none, of a later version, damaged or not whole', async () => {
    const before = await filledTarget();
    const text = backup.toString();
    const wrong: [string | Buffer, RegExp][] = [
      ['', /not whole/],
      ['hello\n', /no backup of Landfall/],
      [text.replace('"landfallBackup":1', '"landfallBackup":2'), /later version/],
      [text.replace('"migrations":[', '"migrations":[{"name":"29990101_x","checksum":"x"},'), /later version/],
      [gzipSync(backup).subarray(0, 500), /no backup|not whole/],
      [text.slice(0, text.lastIndexOf('{"sequences"')), /not whole/],
      [text.replace('9007199254740995', '9007199254740996'), /damaged/],
    ];
    for (const [given, reason] of wrong) {
      const restored = restore({ url: to.url, source: inParts(Buffer.from(given), 5_000) });
      await expect(restored, `${reason}`).rejects.toThrow(reason);
    }
    expect(await contentOf(to.url)).toEqual(before);
  });

  it('are refused while a service has a connection, and beside another restore', async () => {
    const before = await filledTarget();
    const service = connect({ url: to.url, max: 2 });
    await service.rows('select 1');
    await expect(restore({ url: to.url, source: inParts(backup) })).rejects.toThrow(
      /Landfall uses this database \(landfall, process \d+.*stop everything/,
    );
    await service.close();
    await onSession(to.url, 'another', async (client) => {
      await client.query('select pg_advisory_lock($1)', [migrationLock]);
      await expect(restore({ url: to.url, source: inParts(backup) })).rejects.toThrow('Another restore');
    });
    await onSession(to.url, 'test', (client) => client.query('create view public.v as select * from link.links'));
    await expect(restore({ url: to.url, source: inParts(backup) })).rejects.toThrow('would be lost (v)');
    expect(await contentOf(to.url)).toEqual(before);
  });

  it('leave everything as it was when the process is killed in the middle, and work the next time', async () => {
    const before = await filledTarget();
    const file = path.join(tmpdir(), `landfall-backup-${randomBytes(4).toString('hex')}`);
    writeFileSync(file, backup);
    // It reads the first half, loads it, and waits for more.
    const program = `
      import { readFileSync } from 'node:fs';
      import { restore } from ${JSON.stringify(path.join(import.meta.dirname, 'restore.ts'))};
      async function* half() {
        const text = readFileSync(${JSON.stringify(file)});
        yield text.subarray(0, text.length / 2);
        console.log('half');
        await new Promise(() => setInterval(() => {}, 1e6));
      }
      await restore({ url: ${JSON.stringify(to.url)}, source: half() });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(file);
    expect(await contentOf(to.url)).toEqual(before);
    await restore({ url: to.url, source: inParts(backup, 100_000) });
    expect(await contentOf(to.url)).toEqual(content);
  });

  it('see one moment, while the services write', async () => {
    await filledTarget();
    const before = await backupOf(to.url);
    const database = connect({ url: to.url, max: 1 });
    const during = await backupOf(to.url, async () => {
      await database.rows('delete from push.deliveries');
    });
    await database.close();
    expect(during.toString()).toBe(before.toString());
    expect((await backupOf(to.url)).length).toBeLessThan(before.length);
  });
});
