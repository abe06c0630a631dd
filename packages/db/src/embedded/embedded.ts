// The PostgreSQL that is included in Landfall: for a single machine, and for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { type Cluster, environment, openCluster, stopLeftOver } from './embedded-cluster.ts';
import { DATABASE, ensureRole, ROLE } from './embedded-role.ts';

export interface EmbeddedOptions {
  dir: string;
  /** True: committed data survives a power cut. False: a crash may lose everything. This is enough for tests. */
  durable: boolean;
  /** False: throws when there is no database in the folder. By default, one is made. */
  create?: boolean;
  /** The port. By default a free one, which can be different at each start. */
  port?: number;
  /** Called once if PostgreSQL ends without a call of `stop`. `reason` is a sentence with the last lines of its log. */
  onExit?(reason: string): void;
}

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>;

const startLimitMs = 120_000;
const stopLimitMs = 6_000;

/**
 * Takes under 1 s the first time, 0.2 s later. The caller must hold the lock on the folder (`lockDataFolder`). A server
 * that a killed owner left running on it is stopped first.
 */
export async function startEmbedded(options: EmbeddedOptions) {
  const cluster = openCluster(options.dir, options.durable, options.create ?? true);
  const server = await stopLeftOver(cluster.data)
    .then(() => startServer(cluster, options))
    .catch((error) => {
      cluster.release();
      throw error;
    });
  // A socket costs both sides a tenth less of the processor than TCP.
  const host = server.socketFolder === undefined ? '' : `&host=${encodeURIComponent(server.socketFolder)}`;
  const url = (database: string) => `postgresql://postgres:${cluster.password}@127.0.0.1:${server.port}/${database}`;
  let stopping: Promise<void> | undefined;
  const { child } = server;
  child.once('exit', (code, signal) => {
    process.off('exit', endWithUs);
    if (!stopping) options.onExit?.(reasonOf(signal ?? `exit code ${code}`, server, cluster));
  });
  const endWithUs = () => child.kill('SIGINT');
  process.on('exit', endWithUs);
  const embedded = {
    /** Leads through a socket, where there can be one. For the role that owns the database and nothing else. A PGSSLMODE may ask for more than this server has. */
    url: `postgresql://${ROLE}:${cluster.rolePassword}@127.0.0.1:${server.port}/${DATABASE}?sslmode=disable${host}`,
    /** The URL of the same database for the superuser: for tests and tools that create databases. */
    superuserUrl: url(DATABASE),
    pid: child.pid!,
    dir: cluster.data,
    /** The data are not in the folder of the options, but in a place that PostgreSQL's user can reach. */
    elsewhere: cluster.elsewhere,
    /** Ends all connections, and waits until PostgreSQL has ended: 30 ms, at most 8 s. May be called several times. */
    stop: (): Promise<void> => (stopping ??= stopServer(child).then(cluster.release)),
  };
  try {
    await ensureRole(url, cluster.rolePassword);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return embedded;
}

interface Server {
  child: ChildProcess;
  port: number;
  /** The folder of its socket. */
  socketFolder: string | undefined;
  log(): string;
  /** Returns whether the disk was full a moment ago. Many lines may follow the one that says it. */
  diskFull(): boolean;
}

const reasonOf = (end: string, { log, diskFull }: Pick<Server, 'log' | 'diskFull'>, { data }: Cluster): string =>
  diskFull() ? fullDiskOf(data) : `PostgreSQL ended (${end}): ${log().trim()}`;

const fullDiskOf = (data: string): string => `The disk of ${data} is full: make room, and start again.`;

const FULL_FOR_MS = 60_000;

async function startServer(cluster: Cluster, options: EmbeddedOptions, attempts = 3): Promise<Server> {
  const port = options.port ?? (await freePort());
  const socketFolder = placeOfSocket(cluster.data, port);
  let log = '';
  let fullAt = Number.NEGATIVE_INFINITY;
  const diskFull = () => performance.now() - fullAt < FULL_FOR_MS;
  // Detached: only this process gets Ctrl-C, and it stops PostgreSQL last.
  const child = spawn(
    path.join(cluster.native, 'bin/postgres'),
    ['-D', cluster.data, '-p', String(port), '-k', socketFolder ?? '', ...settings(options.durable)],
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
        if (chunk.includes('No space left on device')) fullAt = performance.now();
        if (log.includes('ready to accept connections')) {
          clearTimeout(late);
          resolve();
        }
      });
      const ended = (why: unknown) => {
        clearTimeout(late);
        const started = `PostgreSQL did not start (${why}): ${log.trim()}`;
        reject(new Error(diskFull() ? fullDiskOf(cluster.data) : started));
      };
      child.once('error', ended);
      child.once('close', (code, signal) => ended(signal ?? `exit code ${code}`));
    });
  } catch (error) {
    // Another process took the port between our check and the start of PostgreSQL.
    if (attempts > 1 && log.includes('could not bind')) return startServer(cluster, options, attempts - 1);
    throw error;
  }
  return { child, port, socketFolder, log: () => log, diskFull };
}

/** The path of a socket has at most 103 bytes on macOS, and 107 on Linux. */
const MOST_SOCKET_BYTES = 103;

function placeOfSocket(data: string, port: number): string | undefined {
  const fits = Buffer.byteLength(path.join(data, `.s.PGSQL.${port}`)) <= MOST_SOCKET_BYTES;
  return fits && process.platform !== 'win32' ? data : undefined;
}

function settings(durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    max_connections: 100,
    shared_buffers: '128MB',
    // No replica can connect, so the log does not need the data for replicas.
    wal_level: 'minimal',
    max_wal_senders: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  if (!durable) Object.assign(values, { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' });
  // On macOS, fsync leaves the data in the cache of the drive.
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
