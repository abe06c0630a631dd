// Finds ports of 127.0.0.1 that nobody uses.
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Below those that systems give to outgoing connections: a server that is down for a moment must find its port free when it
 * comes back, and a client that tries it meanwhile must not by chance connect to itself.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 100;

/** One file for each port that a running process was given: it may not have taken the port yet. */
const FOLDER = path.join(tmpdir(), 'landfall-ports');
const given = new Set<number>();

/** Ports that no process of this machine was given by this function, as long as this process runs. */
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

/** False when another process that runs has it. */
function isGivenToUs(port: number): boolean {
  const file = path.join(FOLDER, String(port));
  mkdirSync(FOLDER, { recursive: true, mode: 0o777 });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (runs(readPid(file))) return false;
    // Its process ended without giving it back. The next attempt may take it.
    rmSync(file, { force: true });
    return false;
  }
}

function readPid(file: string): number {
  try {
    // Its process is just about to write it.
    return Number(readFileSync(file, 'utf8') || process.pid);
  } catch {
    return 0;
  }
}

function runs(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // It runs, and is somebody else's.
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
