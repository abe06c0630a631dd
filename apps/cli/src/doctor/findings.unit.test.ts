// Findings: their format, the texts that they must not contain, and the independence of checks.
import { expect, it, vi } from 'vitest';
import { fail, ok, skipped, some, warn } from './finding.ts';
import { findingsText } from './print-findings.ts';
import { once, runChecks } from './run-checks.ts';
import { scrubbed, shownUrl } from './scrub.ts';

it('are one line each with the remedy below, and a sum at the end', () => {
  const findings = [
    ok('database', 'it answers'),
    warn('names', 'AAAA records', 'Remove them.'),
    fail('proxy', 'not trusted', 'Trust it.'),
    skipped('redis', 'there is none'),
  ];
  expect(findingsText(findings)).toBe(`ok       database  it answers
warn     names     AAAA records
                   → Remove them.
FAIL     proxy     not trusted
                   → Trust it.
skipped  redis     there is none

1 FAIL, 1 warn, 1 ok, 1 skipped.`);
});

it('name the first of several failures, which others may follow from', () => {
  expect(findingsText([ok('a', ''), fail('b', '', ''), fail('c', '', '')])).toContain('Begin with the first, b:');
});

it('let nothing from outside speak to the terminal', () => {
  expect(findingsText([warn('a', 'x\x1b[2Jy', 'z\r\n')])).toContain('x\\u001b[2Jy');
});

it('hold no secret, also where somebody put one', () => {
  const findings = [
    fail('a', 'tried hunter22 at redis://:p%40ss@host:6379', 'Not hunter22.', {
      deep: [{ url: 'https://u:v@h/' }],
      n: 1,
    }),
  ];
  expect(scrubbed(findings, ['hunter22', 'p@ss', ''])).toEqual([
    fail('a', 'tried *** at redis://***@host:6379', 'Not ***.', { deep: [{ url: 'https://***@h/' }], n: 1 }),
  ]);
  expect(shownUrl('postgresql://ann:pw@db:5432/landfall?password=pw')).toBe('postgresql://db:5432/landfall');
});

it('say the first few of many', () => {
  expect(some(['a', 'b', 'c'])).toBe('a, b, c');
  expect(some(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
});

it('come in the order of the checks; one that hangs or throws holds up none of the others', async () => {
  vi.useFakeTimers();
  try {
    const running = runChecks(
      [
        { name: 'hangs', withinMs: 1_000, run: () => new Promise(() => {}) },
        { name: 'throws', run: () => Promise.reject(new Error('no idea')) },
        { name: 'works', run: async (what: string) => [ok('works', what)] },
      ],
      'well',
      2,
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await running).flat()).toMatchObject([
      { check: 'hangs', state: 'fail', says: expect.stringContaining('no answer within 2 s') },
      { check: 'throws', state: 'fail', says: 'could not be checked: no idea' },
      { check: 'works', state: 'ok', says: 'well' },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it('find out once what several need', async () => {
  let n = 0;
  const find = once(async () => ++n);
  expect(find.asked()).toBe(false);
  expect(await Promise.all([find(), find()])).toEqual([1, 1]);
  expect(find.asked()).toBe(true);
});
