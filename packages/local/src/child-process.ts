// Child processes: what they say, and how they end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

/**
 * Ends a process with a signal, also when it is frozen. Resolves when it has ended.
 * @param withinMs milliseconds after which it is killed
 */
export async function endProcess(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<void> {
  if (!isAlive(child)) return;
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
  // A frozen process receives no other signal.
  child.kill('SIGCONT');
  child.kill(signal);
  await once(child, 'exit');
  clearTimeout(late);
}

/** Returns a function that gives the last 4,000 characters of what the stream has said. */
export function lastOutput(stream: Readable): () => string {
  let said = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  return () => said;
}

/**
 * Resolves once the program says `words`. Throws when it does not, with what it said last.
 * @param withinMs milliseconds after which the program takes too long
 */
export async function untilItSays(
  name: string,
  child: ChildProcess,
  stream: Readable,
  words: string,
  withinMs: number,
): Promise<void> {
  const said = lastOutput(stream);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (reason: string) => reject(new Error(`${name} did not start (${reason}): ${said().trim()}`));
  const late = setTimeout(fail, withinMs, 'it takes too long');
  stream.on('data', () => said().includes(words) && resolve());
  child.once('error', (error) => fail(error.message));
  child.once('close', (code, signal) => fail(String(signal ?? `exit code ${code}`)));
  await promise.finally(() => clearTimeout(late));
}

const children = new Set<ChildProcess>();

function endAll(): void {
  for (const child of children) {
    child.kill('SIGCONT');
    child.kill();
  }
}

/**
 * Ends the child when this process ends. This process sends a signal when it has time for it. After `kill -9` a watcher
 * ends the child: the watcher's input closes when this process ends.
 */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) process.on('exit', endAll);
  children.add(child);
  // The watcher is detached, so that Ctrl-C reaches only this process. This process decides the order of stopping.
  const watcher = spawn('sh', ['-c', 'read -r _; kill -CONT "$1"; kill "$1"', 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  // Without a shell there is no watcher, and only the signal of this process ends the child.
  watcher.once('error', () => {});
  watcher.stdin.once('error', () => {});
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endAll);
    // Ends the watcher at once: the system may give the process id to another process.
    watcher.kill('SIGKILL');
  });
}
