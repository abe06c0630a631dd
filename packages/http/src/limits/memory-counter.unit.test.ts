import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { specLimits } from './limits.ts';
import { memoryCounter } from './memory-counter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('allows the limit of calls a minute and address', async () => {
  const counter = memoryCounter(specLimits);
  for (let i = 1; i <= 10; i++) {
    expect(await counter.use('create-link', '198.51.100.1')).toEqual({
      allowed: true,
      limit: 10,
      remaining: 10 - i,
      resetSeconds: 60,
    });
  }
  expect(await counter.use('create-link', '198.51.100.1')).toMatchObject({ allowed: false, remaining: 0 });
  expect(await counter.use('create-link', '198.51.100.2')).toMatchObject({ allowed: true });
  expect(await counter.use('restore', '198.51.100.1')).toMatchObject({ allowed: true, limit: 20 });
});

it('starts a new count after a minute', async () => {
  const counter = memoryCounter({ ...specLimits, 'create-link': 1 });
  await counter.use('create-link', 'a');
  vi.advanceTimersByTime(20_000);
  expect(await counter.use('create-link', 'a')).toMatchObject({ allowed: false, resetSeconds: 40 });
  vi.advanceTimersByTime(40_000);
  expect(await counter.use('create-link', 'a')).toMatchObject({ allowed: true });
});

it('remembers a bounded number of addresses and forgets the oldest', async () => {
  const counter = memoryCounter({ ...specLimits, 'create-link': 1 }, 3);
  for (const address of ['a', 'b', 'c', 'd']) await counter.use('create-link', address);
  expect(await counter.use('create-link', 'd')).toMatchObject({ allowed: false });
  expect(await counter.use('create-link', 'a')).toMatchObject({ allowed: true });
});

describe('the addresses of one site', () => {
  const site = '2001:db8:1::/48';
  const from = (n: number) => [`2001:db8:1:${n}::/64`, site] as const;

  it('share ten times the limit of one address, and get the tighter result', async () => {
    const counter = memoryCounter({ ...specLimits, 'create-link': 2 });
    for (let n = 0; n < 18; n++) {
      expect(await counter.use('create-link', ...from(n))).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    }
    expect(await counter.use('create-link', ...from(18))).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    expect(await counter.use('create-link', ...from(19))).toMatchObject({ allowed: true, limit: 20, remaining: 0 });
    expect(await counter.use('create-link', ...from(20))).toMatchObject({ allowed: false, limit: 20, remaining: 0 });
    expect(await counter.use('create-link', '198.51.100.1', null)).toMatchObject({ allowed: true, limit: 2 });
    expect(await counter.use('restore', ...from(20))).toMatchObject({ allowed: true, limit: 20, remaining: 19 });
  });

  it('do not pay for refused calls of one of them', async () => {
    const counter = memoryCounter({ ...specLimits, 'create-link': 2 });
    for (let n = 0; n < 100; n++) await counter.use('create-link', ...from(0));
    expect(await counter.use('create-link', ...from(0))).toMatchObject({ allowed: false, limit: 2 });
    for (let n = 1; n <= 18; n++) expect(await counter.use('create-link', ...from(n))).toMatchObject({ allowed: true });
    expect(await counter.use('create-link', ...from(19))).toMatchObject({ allowed: false, limit: 20 });
  });

  it('never remove the window of their site, however many they are', async () => {
    const counter = memoryCounter({ ...specLimits, 'create-link': 2 }, 3);
    for (let n = 0; n < 20; n++) await counter.use('create-link', ...from(n));
    expect(await counter.use('create-link', ...from(20))).toMatchObject({ allowed: false, limit: 20 });
  });
});
