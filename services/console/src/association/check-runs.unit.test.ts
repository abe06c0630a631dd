import { expect, it } from 'vitest';
import { createCheckRuns } from './check-runs.ts';

const APP = { id: 'a', version: 1 };

function setUp() {
  let time = 0;
  let [started, running, most] = [0, 0, 0];
  const ends: (() => void)[] = [];
  const runs = createCheckRuns<number>(30_000, () => new Date(time));
  const check = async () => {
    const run = ++started;
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
    return run;
  };
  return {
    of: (app = APP) => runs.of(app, check),
    end: () => ends.shift()!(),
    pass: (ms: number) => {
      time += ms;
    },
    counts: () => ({ started, most }),
  };
}

it('runs one check for all callers of half a minute', async () => {
  const { of, end, pass, counts } = setUp();
  const callers = Array.from({ length: 100 }, () => of());
  end();
  expect(await Promise.all(callers)).toEqual(Array(100).fill(1));
  pass(29_999);
  expect(await of()).toBe(1);
  pass(1);
  const next = of();
  end();
  expect(await next).toBe(2);
  expect(counts()).toEqual({ started: 2, most: 1 });
});

it('runs again for an app that has changed, after the running check', async () => {
  const { of, end, counts } = setUp();
  const before = of();
  const after = [of({ ...APP, version: 2 }), of({ ...APP, version: 2 })];
  end();
  expect(await before).toBe(1);
  await expect.poll(() => counts().started).toBe(2);
  end();
  expect(await Promise.all(after)).toEqual([2, 2]);
  expect(counts().most).toBe(1);
});

it('keeps no failure', async () => {
  const runs = createCheckRuns<string>(30_000, () => new Date(0));
  await expect(runs.of(APP, () => Promise.reject(new Error('the bus is down')))).rejects.toThrow('the bus');
  expect(await runs.of(APP, async () => 'well')).toBe('well');
});
