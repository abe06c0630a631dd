// Data of a folder that only root can enter: they are elsewhere, and the place knows its folder.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from './data-place.ts';
import { unprivileged } from './embedded-binaries.ts';

let folder: string;
let dir: string;
const homes: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'landfall-place-'));
  chmodSync(folder, 0o700);
  dir = path.join(folder, 'data', 'postgres');
});
afterEach(() => {
  for (const home of [folder, ...homes.splice(0)]) rmSync(home, { recursive: true, force: true });
});

/** Finds the place and gives it up again, as a start and a stop do. */
function visit(at = dir, create = true): string {
  const { home, lock } = placeOf(at, unprivileged(), create);
  homes.push(home);
  lock?.release();
  return home;
}

/** What a complete start leaves. */
function fill(home: string): void {
  mkdirSync(path.join(home, 'data'));
  writeFileSync(path.join(home, 'role-password'), 'x');
}

describe.runIf(process.getuid?.() === 0)('as root, where only root can enter', () => {
  it('the place stays the same, also when the folder moves or others can enter it', () => {
    const home = visit();
    fill(home);
    expect(home).toMatch(/^\/var\/lib\/landfall\/data-/);
    expect(visit()).toBe(home);
    renameSync(path.dirname(dir), path.join(folder, 'moved'));
    const moved = path.join(folder, 'moved', 'postgres');
    expect(visit(moved)).toBe(home);
    chmodSync(folder, 0o755);
    expect(visit(moved)).toBe(home);
  });

  it('a copy is refused, running or not, and the original goes on', () => {
    const { home, lock } = placeOf(dir, unprivileged(), true);
    homes.push(home);
    fill(home);
    const copy = path.join(folder, 'copy');
    cpSync(dir, copy, { recursive: true, verbatimSymlinks: true });
    expect(() => visit(copy)).toThrow('already runs');
    lock!.release();
    expect(() => visit(copy)).toThrow(`belong to the folder ${dir}, and ${copy} is a copy`);
    // Also in its stead.
    renameSync(dir, path.join(folder, 'aside'));
    renameSync(copy, dir);
    expect(() => visit()).toThrow('is a copy');
    expect(visit(path.join(folder, 'aside'))).toBe(home);
  });

  it('data that are not there any more are no first start', () => {
    const home = visit();
    // A first start that was interrupted goes on.
    expect(visit()).toBe(home);
    fill(home);
    rmSync(path.join(home, 'data'), { recursive: true });
    expect(() => visit()).toThrow(/is not in .*, where it was: put it back, or restore a backup/);
    rmSync(home, { recursive: true });
    expect(() => visit()).toThrow('that folder is not there');
    expect(existsSync(readlinkSync(path.join(dir, 'moved')))).toBe(false);
    rmSync(path.join(dir, 'moved'));
    expect(() => visit(dir, false)).toThrow('there was one');
    mkdirSync(path.join(dir, 'moved'));
    expect(() => visit()).toThrow('must be a link');
  });

  it('data in the folder stay there, and the sentence says who must enter it', () => {
    mkdirSync(path.join(dir, 'data'), { recursive: true });
    expect(() => visit()).toThrow(/cannot enter .*: let others enter/);
    for (const one of [folder, path.dirname(dir)]) chmodSync(one, 0o755);
    expect(visit()).toBe(dir);
  });
});
