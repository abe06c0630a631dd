// Findings: their format, the texts that they must not contain, and the independence of checks.
import { expect, it, vi } from 'vitest';
import type { Facts } from './facts/facts.ts';
import { type Finding, fail, findingsText, ok, type Said, skipped, some, warn } from './finding.ts';
import { runChecks } from './run-checks.ts';
import { scrubbed, shownUrl } from './scrub.ts';

const of = (check: string, said: Said): Finding => ({ check, ...said });

it('are one line each with the remedy below, and a sum at the end', () => {
  const findings = [
    of('database', ok('it answers')),
    of('names', warn('AAAA records', 'Remove them.')),
    of('proxy', fail('not trusted', 'Trust it.')),
    of('redis', skipped('there is none')),
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
  expect(findingsText([of('a', ok('')), of('b', fail('', '')), of('c', fail('', ''))])).toContain(
    'Begin with the first, b:',
  );
});

it('let nothing from outside speak to the terminal', () => {
  expect(findingsText([of('a', warn('x\x1b[2Jy', 'z\r\n'))])).toContain('x\\u001b[2Jy');
});

it('hold no secret, also where somebody put one', () => {
  const findings = [
    of(
      'a',
      fail('tried hunter22 at redis://:p%40ss@host:6379', 'Not hunter22.', { deep: [{ url: 'https://u:v@h/' }], n: 1 }),
    ),
  ];
  expect(scrubbed(findings, ['hunter22', 'p@ss', ''])).toEqual([
    of('a', fail('tried *** at redis://***@host:6379', 'Not ***.', { deep: [{ url: 'https://***@h/' }], n: 1 })),
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
        { name: 'works', run: async ({ setup: { patience } }) => ok(`${patience}`) },
      ],
      { setup: { patience: 2 } } as Facts,
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await running).flat()).toMatchObject([
      { check: 'hangs', state: 'fail', says: expect.stringContaining('no answer within 2 s') },
      { check: 'throws', state: 'fail', says: 'could not be checked: no idea' },
      { check: 'works', state: 'ok', says: '2' },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
