// The PostgreSQL that comes with Landfall: for one machine, and for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { type Cluster, environment, openCluster } from './embedded-cluster.ts';
import { stopLeftOver } from './embedded-left-over.ts';
import { DATABASE, ensureRole, ROLE } from './embedded-role.ts';

export interface EmbeddedOptions {
  /** Made when missing. */
  dir: string;
  /** True: committed data survives a power cut. False: a crash may lose everything, which is enough for tests. */
  durable: boolean;
  /** A free one, another at each start, when left out. */
  port?: number;
  /** Called once when PostgreSQL ends though nobody called `stop`, with a sentence and its last lines of log. */
  onExit?(reason: string): void;
}

export interface Embedded {
  /** The database `landfall` on 127.0.0.1, as the role that owns it and may do nothing else. */
  readonly url: string;
  /** The same as the superuser: for tests and tools that make databases. */
  readonly superuserUrl: string;
  readonly pid: number;
  /** The real place of the data. */
  readonly dir: string;
  /** Ends connections, rolls back what is open and waits for the end: 30 ms, 8 s at the most. May be called again. */
  stop(): Promise<void>;
}

const startLimitMs = 120_000;
const stopLimitMs = 6_000;

/**
 * Starts PostgreSQL on a data folder: under 1 s the first time, 0.2 s later. The caller owns the folder (`lockDataFolder`):
 * a server that a killed owner left running on it is stopped first. Throws when PostgreSQL does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const cluster = openCluster(options.dir, options.durable);
  await stopLeftOver(cluster.data);

  const server = await startServer(cluster, options);
  const url = (database: string) => `postgresql://postgres:${cluster.password}@127.0.0.1:${server.port}/${database}`;
  let stopping: Promise<void> | undefined;
  const { child } = server;
  child.once('exit', (code, signal) => {
    process.off('exit', endWithUs);
    if (!stopping) options.onExit?.(`PostgreSQL ended (${signal ?? `exit code ${code}`}): ${server.log().trim()}`);
  });
  const endWithUs = () => child.kill('SIGINT');
  process.on('exit', endWithUs);
  const embedded: Embedded = {
    url: `postgresql://${ROLE}:${cluster.rolePassword}@127.0.0.1:${server.port}/${DATABASE}`,
    superuserUrl: url(DATABASE),
    pid: child.pid!,
    dir: cluster.data,
    stop: () => (stopping ??= stopServer(child)),
  };
  try {
    await ensureRole({ url, password: cluster.rolePassword });
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return embedded;
}

interface Server {
  child: ChildProcess;
  port: number;
  /** The last lines it wrote. */
  log(): string;
}

async function startServer(cluster: Cluster, options: EmbeddedOptions, attempts = 3): Promise<Server> {
  const port = options.port ?? (await freePort());
  let log = '';
  // Detached: Ctrl-C reaches us alone, and we stop PostgreSQL last.
  const child = spawn(
    path.join(cluster.native, 'bin/postgres'),
    ['-D', cluster.data, '-p', String(port), ...settings(options.durable)],
    {
      ...cluster.as,
      env: environment(),
      cwd: cluster.data,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  try {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        child.kill('SIGQUIT');
        reject(new Error(`PostgreSQL did not start within ${startLimitMs / 1000} s: ${log.trim()}`));
      }, startLimitMs);
      child.stderr.on('data', (chunk: Buffer) => {
        log = (log + chunk).slice(-4_000);
        if (log.includes('ready to accept connections')) {
          clearTimeout(late);
          resolve();
        }
      });
      const ended = (why: unknown) => {
        clearTimeout(late);
        reject(new Error(`PostgreSQL did not start (${why}): ${log.trim()}`));
      };
      child.once('error', ended);
      child.once('close', (code, signal) => ended(signal ?? `exit code ${code}`));
    });
  } catch (error) {
    // Somebody took the port between our look and PostgreSQL's.
    if (attempts > 1 && log.includes('could not bind')) return startServer(cluster, options, attempts - 1);
    throw error;
  }
  return { child, port, log: () => log };
}

function settings(durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    // No replica can be attached to it, so the log need not carry what one wants.
    wal_level: 'minimal',
    max_wal_senders: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  if (!durable) Object.assign(values, { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' });
  // macOS' fsync leaves the data in the drive's cache.
  else if (process.platform === 'darwin') values.wal_sync_method = 'fsync_writethrough';
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGQUIT'), stopLimitMs);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    child.kill('SIGINT');
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
