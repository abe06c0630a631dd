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

/**
 * Returns the start time of a process, in the format of the system. Together with the pid, it identifies one process
 * for ever. Undefined: there is no such process.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // The start time is field 22. Field 2 is the name of the program in brackets. The name may contain spaces and
      // brackets.
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

/** Returns the command line of a process. Undefined: there is no such process. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps('command', pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

/** Returns the id of the boot. The start time counts ticks since the boot, so the boot id is needed too. */
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
