// Servers that we start end when we do, in whatever way we end.
import { type ChildProcess, spawn } from 'node:child_process';

const children = new Set<ChildProcess>();

function endAll(): void {
  for (const child of children) {
    child.kill('SIGCONT');
    child.kill();
  }
}

/**
 * Ends the child when this process ends: by a signal of ours when there is time for one, and after `kill -9` by a watcher
 * whose input ends with us.
 */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) process.on('exit', endAll);
  children.add(child);
  // Detached: Ctrl-C reaches us alone, and we decide the order of stopping.
  const watcher = spawn('sh', ['-c', 'read -r _; kill -CONT "$1"; kill "$1"', 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  // Without a shell, the first way must do.
  watcher.once('error', () => {});
  watcher.stdin.once('error', () => {});
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endAll);
    // At once: the number may become somebody else's.
    watcher.kill('SIGKILL');
  });
}
