// Starts the product as one process, as `npm start` does, on a durable PostgreSQL of its own. scenarios.ts knows only
// the interface of this file.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Database, startEmbedded } from '@landfall/db';
import { endProcess, endWithUs, freePorts, systemEnv, untilItSays } from '@landfall/local';
import type { Server } from '../load/load.ts';
import { cpuSeconds, residentBytes, treeCpuSeconds } from './processes.ts';

export interface Product extends Server {
  /** The port of the management API on 127.0.0.1. */
  readonly managePort: number;
  /** The token for the management API. */
  readonly ownerToken: string;
  /** The database, for state that the API cannot create in a reasonable time. */
  readonly database: Database;
  /**
   * Returns the memory of the process in bytes, without PostgreSQL. With several processes, returns the memory of the
   * watched one.
   */
  memory(): number;
  /** Returns the seconds of CPU that each process and server of the product has used, by name. */
  cpuByProcess(): Readonly<Record<string, number>>;
  /** Ends the product and starts it again with these further settings, on the same data. */
  restart(further: Readonly<Record<string, string>>): Promise<void>;
  /** Kills the product and starts it again with the same settings. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProductOptions {
  env: NodeJS.ProcessEnv;
  /** Further settings of the product. */
  settings?: Readonly<Record<string, string>>;
  /** The folder of another checkout of Landfall whose product is started. Undefined: of this one. */
  checkout?: string | undefined;
  /** The folder for the CPU profile of each process. Undefined: no profile. */
  profile: string | undefined;
}

/** The folder of this checkout. */
export const root = path.join(import.meta.dirname, '../../../..');
const START_MS = 60_000;
const STOP_MS = 10_000;
/** Milliseconds that a statement may take which fills the database. */
export const FILL_MS = 1_800_000;

export async function startProduct({
  env,
  settings: given = {},
  profile,
  checkout = root,
}: ProductOptions): Promise<Product> {
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-bench-'));
  // The folder must be readable for others: PostgreSQL runs as another user when this process runs as root.
  chmodSync(folder, 0o755);
  const postgres = await startEmbedded({ dir: path.join(folder, 'postgres'), durable: true });
  const database = connect({ url: postgres.url, max: 1, limits: { statement: FILL_MS } });
  const [port = 0] = await freePorts(1);
  const data = path.join(folder, 'landfall');
  const settings = {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    LINK_DOMAIN: `localhost:${port}`,
    LANDFALL_DATA: data,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'warn',
  };
  const start = (further: Readonly<Record<string, string>>) =>
    startProcess(port, checkout, { ...systemEnv(env), ...settings, ...further }, profile);
  const stop = async () => {
    // PostgreSQL stops first, so that it cuts off a statement that runs for a long time.
    await postgres.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };

  let settled = given;
  let child = await start(settled).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    port,
    managePort: port,
    ownerToken: readFileSync(path.join(data, 'owner-token'), 'utf8').trim(),
    database,
    memory: () => residentBytes(child.pid!),
    cpuSeconds: () => cpuSeconds(child.pid!),
    cpuByProcess: () => ({ landfall: cpuSeconds(child.pid!), postgres: treeCpuSeconds(postgres.pid) }),
    async restart(further) {
      await endProcess(child, 'SIGTERM', STOP_MS);
      settled = further;
      child = await start(further);
    },
    async kill() {
      await endProcess(child, 'SIGKILL', STOP_MS);
      child = await start(settled);
    },
    async stop() {
      await endProcess(child, 'SIGTERM', STOP_MS);
      await stop();
    },
  };
}

/** Returns the arguments of the `npm start` command, including its Node flags. */
function started(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(2);
}

async function startProcess(port: number, checkout: string, env: NodeJS.ProcessEnv, profile: string | undefined) {
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`];
  // Standard output carries only the table, so the child writes to standard error.
  const child = spawn(process.execPath, [...flags, ...started(checkout)], {
    cwd: checkout,
    env,
    stdio: ['ignore', 2, 'pipe'],
  });
  endWithUs(child);
  try {
    await untilItSays(`Landfall on port ${port}`, child, child.stderr!, 'Landfall is running', START_MS);
  } catch (error) {
    await endProcess(child, 'SIGTERM', STOP_MS);
    throw error;
  }
  child.stderr!.pipe(process.stderr);
  return child;
}
