import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Busy } from '@landfall/bus';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AT_ONCE, createPasswords, MAX_WAIT_MS, MAX_WAITING } from './passwords.ts';

const passwords = createPasswords();

test('a password is known again, and no other', async () => {
  const stored = await passwords.hash('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify('correct horse battery', stored)).toBe(true);
  for (const wrong of ['', 'correct horse', 'Correct horse battery', 'correct horse battery '])
    expect(await passwords.verify(wrong, stored)).toBe(false);
  expect(await passwords.hash('correct horse battery')).not.toBe(stored);
});

test('the same letters are the same password, however they are typed', async () => {
  expect(await passwords.verify('Zürich café straße', await passwords.hash('Zu\u0308rich cafe\u0301 straße'))).toBe(
    true,
  );
});

test('nobody has no password', async () => {
  expect(await passwords.verify('', null)).toBe(false);
  expect(await passwords.verify('anything', null)).toBe(false);
});

test('few are hashed at once, some wait, and more are turned away', async () => {
  const together = AT_ONCE + MAX_WAITING;
  const outcomes = await Promise.allSettled(Array.from({ length: together + 8 }, () => createdHere.verify('x', null)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(8);
  for (const outcome of refused) expect(outcome.reason).toBeInstanceOf(Busy);
  expect(await createdHere.verify('x', null)).toBe(false);
});
test('nothing is hashed for those who have waited too long', async () => {
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  clock.mockReturnValue(0);
  const outcomes = Promise.allSettled(Array.from({ length: AT_ONCE + 2 }, () => createdHere.verify('x', null)));
  // The first ones take their turns, and no thread has answered yet.
  for (let i = 0; i < 10; i++) await null;
  clock.mockReturnValue(MAX_WAIT_MS + 1);
  const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(Busy);
});
test('passwords are hashed while all threads of Node are taken', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passwords-'));
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Each of them takes a thread until somebody writes.
  const readers = Array.from({ length: 4 }, () => open(pipe, 'r'));
  try {
    expect(await createdHere.verify('x', null)).toBe(false);
  } finally {
    const writer = openSync(pipe, 'r+');
    for (const reader of readers) await (await reader).close();
    closeSync(writer);
    rmSync(folder, { recursive: true });
  }
});
/** They cost little: these tests are about the queue. */
const createdHere = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
