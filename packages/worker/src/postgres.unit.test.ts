import type { Database } from '@landfall/db';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { databaseCheck } from './postgres.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('says what the database says', async () => {
  const answers: Promise<object[]>[] = [Promise.resolve([]), Promise.reject(new Error('gone')), Promise.resolve([])];
  const check = databaseCheck({ rows: (() => answers.shift()) as unknown as Database['rows'] });
  expect(await check()).toEqual({ ok: true });
  await expect(check()).rejects.toThrow('gone');
  expect(await check()).toEqual({ ok: true });
});

it('waits a moment for one that hangs, asks it once, and notices when it answers', async () => {
  const hanging = Promise.withResolvers<object[]>();
  let asked = 0;
  const rows = () => {
    asked++;
    return hanging.promise;
  };
  const check = databaseCheck({ rows: rows as unknown as Database['rows'] });
  for (let i = 0; i < 3; i++) {
    const checked = check();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await checked).toEqual({ ok: false, detail: 'PostgreSQL has not answered for 2.5 s' });
  }
  expect(asked).toBe(1);
  hanging.resolve([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(await check()).toEqual({ ok: true });
  expect(asked).toBe(2);
});
