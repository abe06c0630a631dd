import type { ChildProcess } from 'node:child_process';

/** Returns true while the process runs. */
export const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

/**
 * Ends a process with a signal, also when it is frozen. Resolves when it has ended.
 * @param withinMs milliseconds after which it is killed
 */
export function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  if (!isAlive(child)) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    // A frozen process receives no other signal.
    child.kill('SIGCONT');
    child.kill(signal);
  });
}
