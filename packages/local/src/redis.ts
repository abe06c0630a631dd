// Redis on this machine, without Docker: the system's `redis-server` on 127.0.0.1. It stores nothing on disk.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcess } from './end-process.ts';
import { endWithUs } from './end-with-us.ts';
import { freePorts } from './free-ports.ts';

export interface LocalRedisOptions {
  /** A free port when left out. */
  port?: number;
  /**
   * The working folder. Redis writes nothing there. When left out, a temporary folder, which `stop` and `kill` delete.
   */
  dir?: string;
}

export interface LocalRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** May be called more than once, also when Redis is frozen or was killed. */
  stop(): Promise<void>;
  /** Ends Redis like `kill -9`: connections break and the data is lost. */
  kill(): Promise<void>;
  /** Freezes Redis: it keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
}

const STOP_MS = 10_000;
const START_MS = 10_000;

/** Returns the reason why Redis cannot run on this machine, with the program to install; undefined when it can. */
export function redisAvailable(): string | undefined {
  if (spawnSync('redis-server', ['--version']).status === 0) return undefined;
  return 'There is no redis-server: install it, e.g. apt-get install redis-server.';
}

/** Starts Redis in about 20 ms. Throws when Redis does not start. */
export async function startRedis(options: LocalRedisOptions = {}): Promise<LocalRedis> {
  const port = options.port ?? (await freePorts(1))[0]!;
  const dir = options.dir ?? mkdtempSync(path.join(tmpdir(), 'landfall-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  // Ctrl-C then reaches only this process: the programs that use Redis must stop before Redis.
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  if (child.pid) endWithUs(child);
  async function end(signal: NodeJS.Signals): Promise<void> {
    await endProcess(child, signal, STOP_MS);
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  }
  const failure = await serving(child);
  if (failure !== undefined) {
    await end('SIGKILL');
    throw new Error(`redis-server did not start (${failure})`);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: child.pid!,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

/** Resolves with undefined once Redis serves, or with the reason why it does not. */
function serving(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve('it takes too long'), START_MS);
    const settle = (failure?: string) => {
      clearTimeout(late);
      resolve(failure);
    };
    let said = '';
    child.stdout!.on('data', (text: Buffer) => {
      said = (said + text).slice(-4_000);
      if (said.includes('Ready to accept connections')) settle();
    });
    child.once('error', (error) => settle(error.message));
    child.once('close', (code, signal) => settle(`${signal ?? `exit code ${code}`}: ${said.trim()}`));
  });
}
