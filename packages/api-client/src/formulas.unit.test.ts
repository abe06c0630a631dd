import fc from 'fast-check';
import { expect, it } from 'vitest';
import { marked, unmarked } from './formulas.ts';

it.each([
  ['=1+1', "'=1+1"],
  [' =1', "' =1"],
  ['\u3000＝1', "'\u3000＝1"],
  ['"=1"', '\'"=1"'],
  ["'=1", "''=1"],
  ['/a;=1', "/a;'=1"],
  ['/a; @SUM(A1)', "/a;' @SUM(A1)"],
  ['/a;"=1"', '/a;\'"=1"'],
  ["/a;'=1", "/a;''=1"],
  ['a\t-1', "a\t'-1"],
  ['a\n+1', "a\n'+1"],
  ['\t=1', "'\t'=1"],
  [';;=1', ";;'=1"],
])('%j is marked as %j', (text, safe) => {
  expect(marked(text)).toBe(safe);
  expect(unmarked(safe)).toBe(text);
});

it.each(['', 'a=1', '/a;b=1', "'tis", "/a;'b", '/a?b=1-2', '1;2', '😀;x', '{"a":"=1"}'])(
  '%j stays as it is',
  (text) => {
    expect(marked(text)).toBe(text);
    expect(unmarked(text)).toBe(text);
  },
);

const hostile = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...';\t\r\n\'"=+-@＝ ,\u00a0\ufeffa') },
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 30,
});

it('gives every text back, and no part of what is marked begins a formula', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const safe = marked(text);
      expect(unmarked(safe)).toBe(text);
      for (const part of safe.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^["\s]*[=+\-@＝]/);
    }),
    { numRuns: 5_000 },
  );
});
