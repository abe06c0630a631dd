import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '﹦1',
  '﹢1',
  '﹣1',
  '﹫A1',
  ' =1',
  '\u3000＝1',
  '\t=1',
])('%j is text to a spreadsheet', (text) => {
  expect(csvCell(text)).toBe(`'${text}`);
});

test('a line break before a formula is quoted, too', () => {
  expect(csvCell('\r=1')).toBe('"\'\r=1"');
  expect(csvCell('\n=1')).toBe('"\'\n=1"');
});

test('other values do not change', () => {
  expect(csvCell('ada@example.com')).toBe('ada@example.com');
  expect(csvCell('Zürich, ＝')).toBe('"Zürich, ＝"');
  expect(csvCell('a "word"')).toBe('"a ""word"""');
  expect(csvCell({ a: 1 })).toBe('"{""a"":1}"');
  expect(csvCell(null)).toBe('');
  expect(csvCell(undefined)).toBe('');
});
