import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataFolder } from './data-folder-lock.ts';

let dir: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'landfall-lock-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

interface Start {
  child: ChildProcess;
  /** The first output of the process: `mine`, or the reason why it did not get the lock. */
  said: Promise<string>;
}

const lockFile = JSON.stringify(path.join(import.meta.dirname, 'data-folder-lock.ts'));

/** Starts another process that locks the folder and keeps the lock until it is killed. */
function start(times = ''): Start {
  return begin(`
    import { lockDataFolder } from ${lockFile};
    try { lockDataFolder(${JSON.stringify(dir)}${times}); console.log('mine'); } catch (e) { console.log(e.message); }
    setInterval(() => {}, 1e6);`);
}

function begin(program: string): Start {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return {
    child,
    said: new Promise((resolve) => child.stdout!.once('data', (chunk) => resolve(String(chunk).trim()))),
  };
}

function readDeadOwner(): string {
  const folder = mkdtempSync(path.join(dir, 'dead-'));
  lockDataFolder(folder);
  return readFileSync(path.join(folder, 'owner.1'), 'utf8').replace(/"start":"[^"]*/, '"start":"long ago');
}

async function kill({ child }: Start): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

describe('lockDataFolder', () => {
  it('refuses a second owner in one sentence, and lets one in after the release', () => {
    const lock = lockDataFolder(dir);
    expect(() => lockDataFolder(dir)).toThrow(
      `Landfall already runs on the data folder ${dir} (process ${process.pid}): stop it, or set LANDFALL_DATA to another folder.`,
    );
    lock.release();
    lock.release();
    lockDataFolder(dir).release();
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('refuses while another process has it, and not after that one was killed', async () => {
    const first = start();
    expect(await first.said).toBe('mine');
    expect(() => lockDataFolder(dir)).toThrow(`(process ${first.child.pid})`);
    await kill(first);
    lockDataFolder(dir).release();
  });

  it('takes no copy of a folder for the folder', () => {
    const original = path.join(dir, 'original');
    const copy = path.join(dir, 'copy');
    const lock = lockDataFolder(original);
    cpSync(original, copy, { recursive: true });
    lockDataFolder(copy).release();
    renameSync(original, path.join(dir, 'moved'));
    expect(() => lockDataFolder(path.join(dir, 'moved'))).toThrow('already runs');
    lock.release();
  });

  it('does not take another process with the same number for the owner', () => {
    lockDataFolder(dir);
    const file = path.join(dir, 'owner.1');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"start":"[^"]*/, '"start":"long ago'));
    lockDataFolder(dir).release();
  });

  it('lets exactly one of several in that start at the same moment, fresh and after a killed owner', async () => {
    const folders = Array.from({ length: 40 }, (_, n) => path.join(dir, String(n)));
    folders.forEach((folder, n) => {
      mkdirSync(folder);
      if (n % 2) writeFileSync(path.join(folder, 'owner.7'), readDeadOwner());
    });
    const at = Date.now() + 1_000;
    const program = `
      import { lockDataFolder } from ${lockFile};
      const mine = ${JSON.stringify(folders)}.map((folder, n) => {
        while (Date.now() < ${at} + n * 10);
        try { lockDataFolder(folder); return true; } catch { return false; }
      });
      console.log(JSON.stringify(mine));
      setInterval(() => {}, 1e6);`;
    const said = await Promise.all([1, 2, 3].map(() => begin(program).said));
    const mine = said.map((words) => JSON.parse(words) as boolean[]);
    expect(folders.map((_, n) => mine.filter((one) => one[n]).length)).toEqual(folders.map(() => 1));
  });

  it('judges an owner in another container by its signs of life', async () => {
    const lock = lockDataFolder(dir, { beat: 100, silence: 1_000 });
    const file = path.join(dir, 'owner.1');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"place":"[^"]*/, '"place":"another pid:[1]'));
    // The call blocks, which would stop our own heartbeat. So another process makes the call.
    const once = ', { beat: 100, silence: 1_000 }';
    expect(await start(once).said).toContain(`(process ${process.pid} on another)`);
    lock.release();
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'x', place: 'another pid:[1]' }));
    expect(await start(once).said).toBe('mine');
  });
});
