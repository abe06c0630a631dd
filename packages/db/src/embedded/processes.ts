// Other processes of this machine: whether they live, and whether they are still the ones we met.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started, in the system's own words: with the pid it names one process for good. Undefined: there is none. */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // Field 22. The second one is the program's name in brackets, which may hold blanks and brackets itself.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      // A zombie holds nothing any more.
      return fields[0] === 'Z' ? undefined : `${bootId()} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  // Windows does not say; that it lives must do.
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : undefined;
  return ps('lstart', pid);
}

/** The command line of a process; undefined when there is none. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps('command', pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

/** Ticks count from the boot, so the boot is part of the name. */
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
