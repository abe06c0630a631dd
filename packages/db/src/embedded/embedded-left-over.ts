// A PostgreSQL that survives its owner (kill -9) still uses the data folder. It is stopped before the next one starts.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, isAlive } from './processes.ts';

/**
 * Stops the server that `data`/postmaster.pid names, if it runs. Waits at most 15 s for an orderly shutdown, then at
 * most 5 s for an immediate one.
 */
export async function stopLeftOver(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return;
  }
  const pid = Number(lines[0]);
  // PostgreSQL refuses an empty file, which a power cut or a full disk leaves behind. The server writes its number first.
  if (!(pid > 0)) return rmSync(file);
  if (!isAlive(pid)) return;
  if (!isServerOf(data, pid)) {
    // After a reboot, or in a new container, the process id can belong to another process, and PostgreSQL would refuse
    // to start. PostgreSQL ignores our own id, because we are its parent. It still checks for left-over shared memory.
    writeFileSync(file, [process.pid, ...lines.slice(1)].join('\n'));
    return;
  }
  for (const [signal, limitMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (!isServerOf(data, pid)) return;
    process.kill(pid, signal);
    const end = Date.now() + limitMs;
    while (Date.now() < end) {
      if (!isServerOf(data, pid)) return;
      await sleep(20);
    }
  }
  throw new Error(`A PostgreSQL of an earlier start (process ${pid}) still runs on ${data} and does not end: stop it.`);
}

/** A process that has ended, but whose parent has not waited for it, has an empty command line. */
function isServerOf(data: string, pid: number): boolean {
  const command = commandOf(pid);
  return command?.includes('postgres') === true && command.includes(` -D ${data} `);
}
