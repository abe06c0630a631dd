// Ends the servers that this process starts when this process ends, whatever the reason.
import { type ChildProcess, spawn } from 'node:child_process';

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
