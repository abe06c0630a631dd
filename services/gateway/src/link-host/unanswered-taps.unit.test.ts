import { Busy, Failed, NoAnswer } from '@landfall/bus';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unansweredTaps } from './unanswered-taps.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('logs the first tap of an outage at once, and the others once a minute', () => {
  const log = testLogger();
  const warn = vi.spyOn(log, 'warn');
  const tell = unansweredTaps(log);
  for (let i = 0; i < 100; i++) tell(i % 2 === 0 ? new NoAnswer('late') : new Busy('full'), `${i}`);
  expect(warn.mock.calls).toEqual([[{ err: expect.any(NoAnswer), requestId: '0' }, expect.any(String)]]);
  vi.advanceTimersByTime(60_000);
  expect(warn.mock.calls.slice(1)).toEqual([[{ taps: 99 }, expect.any(String)]]);
  vi.advanceTimersByTime(60_000);
  expect(warn).toHaveBeenCalledTimes(2);
  tell(new NoAnswer('late'), 'next');
  expect(warn).toHaveBeenCalledTimes(3);
});

it('logs every other error', () => {
  const log = testLogger();
  const warn = vi.spyOn(log, 'warn');
  const tell = unansweredTaps(log);
  for (let i = 0; i < 3; i++) tell(new Failed('broken'), `${i}`);
  expect(warn).toHaveBeenCalledTimes(3);
});
