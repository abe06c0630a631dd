// Runs Landfall as a separate process, as `npm start` does.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemEnv } from '@landfall/local';

const MAIN = path.join(import.meta.dirname, '../../../apps/standalone/src/main.ts');

export interface Process {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the process has printed the welcome. Rejects when the process ends before that. */
  ready: Promise<void>;
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts it with these settings. None of this process reaches it. */
export function startProcess(env: Record<string, string>): Process {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...systemEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const ended = new Promise<Awaited<Process['ended']>>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text;
      if (output.stderr.includes('Stop with Ctrl-C.')) resolve();
    });
    void ended.then(({ code, signal }) => reject(new Error(`it ended (${code ?? signal}): ${output.stderr}`)));
  });
  ready.catch(() => {});
  return { child, ready, ended, stdout: () => output.stdout, stderr: () => output.stderr };
}

/** Returns the output of a start that ends by itself. */
export async function failedStart(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const { child, ready, ended, stderr, stdout } = startProcess(env);
  // If the process starts after all, it must not run for ever.
  ready.then(
    () => child.kill('SIGTERM'),
    () => {},
  );
  const { code } = await ended;
  return { code, said: stderr() + stdout() };
}

/** Creates an empty folder. PostgreSQL runs as another user when the tests run as root, and that user needs access. */
export function dataFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-process-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Returns the process id of the PostgreSQL server on the folder, or undefined when no server runs. */
export function postgresOf(folder: string): number | undefined {
  const file = path.join(folder, 'postgres/data/postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return isAlive(pid) ? pid : undefined;
}

/** Returns the ids of a process and of its child processes. */
export function processesBelow(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child]) => child!)];
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sends a signal to a process. Does nothing if the process has already ended: PostgreSQL starts and ends processes of
 * its own.
 */
export function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Removes what a failed test leaves: its processes, its PostgreSQL server and its folder. */
export async function cleanUp(folder: string, processes: readonly Process[]): Promise<void> {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  const postgres = postgresOf(folder);
  if (postgres) process.kill(postgres, 'SIGQUIT');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
