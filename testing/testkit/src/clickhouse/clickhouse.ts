// ClickHouse for a suite: the server that TEST_CLICKHOUSE_URL names, else chDB, when it was installed.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess, endWithUs } from '@landfall/local';

export interface TestClickHouse {
  /** `clickhouse://…`, with a database of its own. */
  readonly url: string;
  stop(): Promise<void>;
}

/** `.ci/run` installs it: 540 MB, which nothing else needs. */
const CHDB = path.resolve(import.meta.dirname, '../../../../.cache/chdb-3.4.0/node_modules/chdb');
const STOP_MS = 10_000;

/** Returns the reason why there is no ClickHouse, in a sentence; undefined when there is one. */
export function clickHouseMissing(): string | undefined {
  if (process.env.TEST_CLICKHOUSE_URL || existsSync(CHDB)) return undefined;
  return 'TEST_CLICKHOUSE_URL is not set, and there is no chDB: npm install --prefix .cache/chdb-3.4.0 --no-save chdb@3.4.0';
}

/** Starts a ClickHouse with an empty database. Throws when it does not start. */
export async function startClickHouse(): Promise<TestClickHouse> {
  const { TEST_CLICKHOUSE_URL: given } = process.env;
  const database = `landfall_test_${randomBytes(4).toString('hex')}`;
  if (given) return withDatabase(given, database, async () => {});
  const data = mkdtempSync(path.join(tmpdir(), 'landfall-chdb-'));
  const program = path.join(import.meta.dirname, 'chdb-server.ts');
  const child = spawn(process.execPath, [program, CHDB, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  const stop = async () => {
    await endProcess(child, 'SIGKILL', STOP_MS);
    rmSync(data, { recursive: true, force: true });
  };
  const lines = createInterface(child.stdout);
  const [port] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [string | number | null];
  if (typeof port !== 'string') {
    await stop();
    throw new Error(`chDB did not start (exit code ${port})`);
  }
  return withDatabase(`clickhouse://127.0.0.1:${port}`, database, stop);
}

async function withDatabase(server: string, database: string, stop: () => Promise<void>): Promise<TestClickHouse> {
  const url = new URL(server);
  const headers = {
    'x-clickhouse-user': url.username || 'default',
    'x-clickhouse-key': decodeURIComponent(url.password),
  };
  const run = async (body: string) => {
    const response = await fetch(`http://${url.host}/`, { method: 'POST', body, headers });
    if (!response.ok) throw new Error(await response.text());
  };
  await run(`create database ${database}`);
  url.pathname = `/${database}`;
  return {
    url: url.href,
    async stop() {
      await run(`drop database ${database} sync`);
      await stop();
    },
  };
}
