// Checks other processes of this machine: whether they run, and whether a process id still means the same process.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but another user owns it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** With its start time, a pid means one process for ever. Undefined: there is no such process. */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // Field 22. Field 2 is the name of the program in brackets, and may contain spaces and brackets.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      // A zombie process holds no resources.
      return fields[0] === 'Z' ? undefined : `${bootId()} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  // Windows does not give the start time. It must be enough that the process runs.
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : undefined;
  return ps('lstart', pid);
}

/** Undefined: there is no such process. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps('command', pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

/** Start times are ticks since the boot. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function ps(field: string, pid: number): string | undefined {
  const found = spawnSync('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  return found.stdout?.trim() || undefined;
}
