// Redis on this machine, without Docker: the system's `redis-server` on 127.0.0.1. It stores nothing on disk.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcess, endWithUs, untilItSays } from './child-process.ts';
import { freePorts } from './free-ports.ts';

export type LocalRedis = Awaited<ReturnType<typeof startRedis>>;

const STOP_MS = 10_000;
const START_MS = 10_000;

/** Returns the reason why Redis cannot run on this machine, with the program to install; undefined when it can. */
export function redisAvailable(): string | undefined {
  if (spawnSync('redis-server', ['--version']).status === 0) return undefined;
  return 'There is no redis-server: install it, e.g. apt-get install redis-server.';
}

/** Starts Redis in about 20 ms. Throws when Redis does not start. */
export async function startRedis(options: { port?: number } = {}) {
  const port = options.port ?? (await freePorts(1))[0]!;
  const dir = mkdtempSync(path.join(tmpdir(), 'landfall-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  // Ctrl-C then reaches only this process: the programs that use Redis must stop before Redis.
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  if (child.pid) endWithUs(child);
  async function end(signal: NodeJS.Signals): Promise<void> {
    await endProcess(child, signal, STOP_MS);
    rmSync(dir, { recursive: true, force: true });
  }
  try {
    await untilItSays('redis-server', child, child.stdout, 'Ready to accept connections', START_MS);
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: child.pid!,
    /** May be called more than once, also when Redis is frozen or was killed. */
    stop: () => end('SIGTERM'),
    /** Ends Redis like `kill -9`: connections break and the data is lost. */
    kill: () => end('SIGKILL'),
    /** Freezes Redis: it keeps its connections and answers nothing. */
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
