import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test.each(['=1+1', '@SUM(A1)', '－1', '﹢1', '\u3000＝1'])('%j is text to a spreadsheet', (text) => {
  expect(csvCell(text)).toBe(`'${text}`);
});

test('a line break before a formula is quoted, too', () => {
  expect(csvCell('\r=1')).toBe('"\'\r\'=1"');
  expect(csvCell('\n=1')).toBe('"\'\n\'=1"');
});

test('no part of a cell is a formula where ";" or a tab separates', () => {
  expect(csvCell("/a;=cmd|'/c calc'!A0")).toBe(`"/a;'=cmd|'/c calc'!A0"`);
  expect(csvCell('x\t@SUM(A1)')).toBe(`"x\t'@SUM(A1)"`);
  expect(JSON.parse(csvCell({ a: 'x;=1', ';-1': 2 }).slice(1, -1).replaceAll('""', '"'))).toEqual({
    a: 'x;=1',
    ';-1': 2,
  });
  expect(csvCell({ a: 'x;=1' })).not.toContain(';');
  expect(csvCell(-5)).toBe('-5');
});

test('other values do not change', () => {
  expect(csvCell('ada@example.com')).toBe('ada@example.com');
  expect(csvCell('Zürich, ＝')).toBe('"Zürich, ＝"');
  expect(csvCell('a "word"')).toBe('"a ""word"""');
  expect(csvCell({ a: 1 })).toBe('"{""a"":1}"');
  expect(csvCell(null)).toBe('');
  expect(csvCell(undefined)).toBe('');
});
