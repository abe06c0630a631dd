import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The range lies below the ports that systems give to outgoing connections. A server that is down for a moment must
 * find its port free when it comes back. A client that tries the port meanwhile must not connect to itself by chance.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 100;

/** Holds one file for each port that was given to a running process. The process may not use the port yet. */
const FOLDER = path.join(tmpdir(), 'landfall-ports');
const given = new Set<number>();

/** Returns free ports of 127.0.0.1. While this process runs, no other process of this machine gets them from here. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count; attempt++) {
    if (attempt > ATTEMPTS * count) throw new Error('There is no free port on 127.0.0.1.');
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !isGivenToUs(port)) continue;
    if (given.size === 0) process.once('exit', giveBack);
    given.add(port);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

/** Reserves a port. Returns false when another process has it, or when the file of an ended one was just removed. */
function isGivenToUs(port: number): boolean {
  const file = path.join(FOLDER, String(port));
  mkdirSync(FOLDER, { recursive: true, mode: 0o777 });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (runs(readPid(file))) return false;
    // Its process ended without giving it back. The next attempt may take the port.
    rmSync(file, { force: true });
    return false;
  }
}

function readPid(file: string): number {
  try {
    // An empty file: its process is about to write its id. Our own id stands for it, because we run.
    return Number(readFileSync(file, 'utf8') || process.pid);
  } catch {
    return 0;
  }
}

function runs(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // The process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function giveBack(): void {
  for (const port of given) rmSync(path.join(FOLDER, String(port)), { force: true });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
