// Full run: it starts and kills PostgreSQL in many ways. `process` starts it once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../database.ts';
import { applyMigrations } from '../migrate.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts';
import { unprivileged } from './embedded-binaries.ts';
import { isAlive } from './processes.ts';

let folder: string;
/** The data folder, which the first start creates. Each test leaves it in a state that the next test can use. */
let dir: string;
const servers: Embedded[] = [];
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'landfall-embedded-'));
  chmodSync(folder, 0o755);
  dir = path.join(folder, 'postgres');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const server = await startEmbedded({ dir, durable: true, ...options });
  servers.push(server);
  return server;
}

async function rows(url: string, ...statements: string[]): Promise<object[]> {
  const database = connect({ url, max: 1 });
  try {
    let last: object[] = [];
    for (const text of statements) last = await database.rows(text);
    return last;
  } finally {
    await database.close();
  }
}

/** Starts another program that starts a server, and then does what `then` says. */
async function otherOwner(then: string) {
  const program = `
    import { startEmbedded } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))};
    const { url, pid } = await startEmbedded({ dir: ${JSON.stringify(dir)}, durable: true });
    console.log(JSON.stringify({ url, pid }));
    ${then};`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(owner.stdout, 'data');
  return { owner, orphan: JSON.parse(String(line)) as { url: string; pid: number } };
}

const fill = ['drop table if exists t', 'create table t (n int)', 'insert into t values (1), (2)'];
const kept = [{ n: 1 }, { n: 2 }];

describe('startEmbedded', () => {
  it('starts a durable server behind a password, stops it, and keeps the rows', async () => {
    const told: string[] = [];
    const first = await start({ onExit: (reason) => told.push(reason) });
    const wrong = new URL(first.url);
    wrong.password = 'wrong';
    await expect(rows(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await rows(first.url, ...fill);
    const [settings] = await rows(
      first.url,
      `select current_database() as name, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('full_page_writes') as pages, current_setting('listen_addresses') as addresses`,
    );
    expect(settings).toEqual({ name: 'landfall', fsync: 'on', commit: 'on', pages: 'on', addresses: '127.0.0.1' });
    await first.stop();
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(told).toEqual([]);
    const second = await start();
    expect(await rows(second.url, 'select * from t')).toEqual(kept);
  });

  it('is reached through a socket, and through TCP where the path of a socket would be too long', async () => {
    const way = 'select inet_server_addr() is null as socket';
    expect(await rows((await start()).url, way)).toEqual([{ socket: true }]);
    const long = await start({ dir: path.join(folder, 'l'.repeat(90)), durable: false });
    expect(await rows(long.url, way)).toEqual([{ socket: false }]);
  });

  it('says when PostgreSQL was killed, and starts again with the rows', async () => {
    const told: string[] = [];
    const server = await start({ onExit: (reason) => told.push(reason) });
    await rows(server.url, ...fill);
    process.kill(server.pid, 'SIGKILL');
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]).toContain('PostgreSQL ended (SIGKILL)');
    await server.stop();
    expect(await rows((await start()).url, 'select * from t')).toEqual(kept);
  });

  it('stops the server that a killed owner left running, and keeps the rows', async () => {
    const { owner, orphan } = await otherOwner('setInterval(() => {}, 1e6)');
    await rows(orphan.url, ...fill);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await rows(orphan.url, 'select * from t')).toEqual(kept);

    const server = await start();
    expect(await rows(server.url, 'select * from t')).toEqual(kept);
    await expect(rows(orphan.url, 'select 1')).rejects.toThrow();
  });

  it('ends with a process that exits without stopping it', async () => {
    const { orphan } = await otherOwner('process.exit(3)');
    await expect.poll(() => readdirSync(path.join(dir, 'data')).includes('postmaster.pid')).toBe(false);
    expect(orphan.pid).toBeGreaterThan(0);
  });

  it('starts though the number of its last process is another one by now', async () => {
    const server = await start();
    await rows(server.url, ...fill);
    process.kill(server.pid, 'SIGKILL');
    // PostgreSQL only considers processes of its own user.
    const stranger = spawn('sleep', ['1000'], unprivileged());
    const file = path.join(server.dir, 'postmaster.pid');
    writeFileSync(file, readFileSync(file, 'utf8').replace(String(server.pid), String(stranger.pid)));
    expect(await rows((await start()).url, 'select * from t')).toEqual(kept);
    expect(isAlive(stranger.pid!)).toBe(true);
    stranger.kill();
  });

  it('begins anew when making the data folder was interrupted', async () => {
    const half = path.join(folder, 'half');
    mkdirSync(path.join(half, 'data.new'), { recursive: true });
    writeFileSync(path.join(half, 'data.new', 'PG_VERSION'), '17\n');
    const server = await start({ dir: half, durable: false });
    expect(await rows(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(half)).not.toContain('data.new');
  });

  it('gives Landfall a plain role, which owns its database and is nothing more on the server', async () => {
    const { url } = await start({ dir: path.join(folder, 'plain'), durable: false });
    const [role] = await rows(
      url,
      `select current_user as name, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
        from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({
      name: 'landfall',
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    });
    for (const forbidden of [
      "select pg_read_file('/etc/hostname')",
      "copy (select 1) to program 'cat'",
      'create role r',
    ])
      await expect(rows(url, forbidden)).rejects.toMatchObject({ code: '42501' });
    await expect(rows(url.replace(/landfall(?=\?)/, 'postgres'), 'create table t ()')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('takes over what an earlier version made as the superuser, whatever it is', async () => {
    const own = path.join(folder, 'earlier');
    const first = await start({ dir: own, durable: false });
    // The state of an earlier version: no role, and the superuser owns everything.
    const asSuperuser = (database: string) => first.superuserUrl.replace(/landfall$/, database);
    await rows(asSuperuser('postgres'), 'drop database landfall', 'drop role landfall', 'create database landfall');
    await applyMigrations(first.superuserUrl);
    await rows(
      first.superuserUrl,
      'create table public.t (id int generated always as identity, s serial)',
      'create view link.v as select * from public.t',
      "create type link.mood as enum ('good')",
      'create function link.f() returns int language sql as $$ select 1 $$',
      'insert into public.t default values',
      "create table analytics.facts_2026_11 partition of analytics.facts for values from ('2026-11-01') to ('2026-12-01')",
    );
    await first.stop();
    rmSync(path.join(own, 'role-password'));

    for (const _ of ['the next start', 'and every later one']) {
      const { url, stop } = await start({ dir: own, durable: false });
      expect(await applyMigrations(url)).toEqual([]);
      const foreign = await rows(
        url,
        `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relowner <> 'landfall'::regrole`,
      );
      expect(foreign).toEqual([]);
      expect(await rows(url, 'select * from public.t')).toEqual([{ id: 1, s: 1 }]);
      await rows(
        url,
        'alter table link.links add column later int',
        'alter table link.links drop column later',
        "alter type link.mood rename value 'good' to 'better'",
        "alter type link.mood rename value 'better' to 'good'",
        'create or replace function link.f() returns int language sql as $$ select 2 $$',
        'create or replace view link.v as select * from public.t',
        'create schema another',
        'drop schema another',
        'alter table public.t add column more int',
        'alter table public.t drop column more',
      );
      await stop();
    }
  });

  it('starts after an empty postmaster.pid, and whatever PG… variables say', async () => {
    await (await start()).stop();
    writeFileSync(path.join(dir, 'data', 'postmaster.pid'), '');
    vi.stubEnv('PGSSLMODE', 'require');
    vi.stubEnv('PGOPTIONS', '-c DateStyle=German');
    vi.stubEnv('PGPORT', '1');
    const { url } = await start();
    expect(await rows(url, "select current_setting('datestyle') as style")).toEqual([{ style: 'ISO, MDY' }]);
    vi.unstubAllEnvs();
  });

  it('says when another major version has made the data, and when the database is not there any more', async () => {
    const own = path.join(folder, 'lost');
    await (await start({ dir: own, durable: false })).stop();
    const version = path.join(own, 'data', 'PG_VERSION');
    writeFileSync(version, '16\n');
    await expect(start({ dir: own })).rejects.toThrow(/^PostgreSQL 16 has made the data in .* brings PostgreSQL 17/);
    rmSync(path.join(own, 'data'), { recursive: true });
    await expect(start({ dir: own })).rejects.toThrow(/^The database of .* where it was: put it back, or restore/);
    await expect(start({ dir: path.join(folder, 'none'), create: false })).rejects.toThrow('there was one');
  });

  it('says why it does not start', async () => {
    const server = await start();
    await server.stop();
    rmSync(path.join(server.dir, 'global'), { recursive: true });
    await expect(start()).rejects.toThrow(/PostgreSQL did not start \(exit code \d+\): .*global/s);
  });
});
