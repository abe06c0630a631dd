// Watches the measured processes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the memory of the process, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes) * 1024;
}

const TICKS_PER_SECOND = 100;

/** Returns the seconds of CPU that the process has used. NaN where the system has no /proc. */
export function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const [own] = usedSeconds(pid);
  return own;
}

/**
 * Returns the seconds of CPU that the process and all its descendants have used, also those that have ended. NaN where
 * the system has no /proc.
 */
export function treeCpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const children = readProc(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  const [own, ended] = usedSeconds(pid);
  return children.reduce((sum, child) => sum + ifAlive(() => treeCpuSeconds(child)), own + ended);
}

/** Returns the seconds of the process, and those of its children that have ended. */
function usedSeconds(pid: number): [own: number, ended: number] {
  // The 12th to 15th fields after the name. The name may contain any character.
  const fields = readProc(pid, 'stat').split(') ').at(-1)!.split(' ').slice(11, 15).map(Number);
  const [user = Number.NaN, system = Number.NaN, endedUser = Number.NaN, endedSystem = Number.NaN] = fields;
  return [(user + system) / TICKS_PER_SECOND, (endedUser + endedSystem) / TICKS_PER_SECOND];
}

/** PostgreSQL ends its helpers at any time. The next look counts their CPU at their parent. */
function ifAlive(seconds: () => number): number {
  try {
    return seconds();
  } catch (error) {
    if (error instanceof Ended) return 0;
    throw error;
  }
}

class Ended extends Error {}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    throw new Ended(`the server's process ${pid} has ended by itself`);
  }
}
