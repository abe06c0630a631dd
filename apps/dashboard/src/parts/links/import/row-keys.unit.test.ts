import { describe, expect, it } from 'vitest';
import { type Headings, resultFile, withoutResult } from './result-file.ts';
import { keysOf } from './row-keys.ts';
import { readTable, type Table } from './table.ts';

const HEADINGS: Headings = ['new url', 'new slug', 'error'];
const tableOf = (text: string): Table => {
  const table = readTable(text);
  if ('fault' in table) throw new Error(table.fault);
  return withoutResult(table, HEADINGS);
};
const keys = async (text: string) => [...(await keysOf(tableOf(text))).values()];

const FILE = 'destination,name\n/a,\n/b,-20 %\n/b,-20 %\n';

describe('the key of a row', () => {
  it('is that of its cells, and equal rows differ', async () => {
    const all = await keys(FILE);
    expect(new Set(all).size).toBe(3);
    expect(await keys('Ziel;Name;;\r\n"/a";;;\r\n/b;"-20 %";;\r\n/b;-20 %;;\r\n')).toEqual(all);
  });

  it('stays when other rows are corrected, added or taken away', async () => {
    const [a, b, again] = await keys(FILE);
    const [b1, corrected, b2, b3] = await keys('destination,name\n/b,-20 %\n/a,x\n/b,-20 %\n/b,-20 %\n');
    expect([b1, b2]).toEqual([b, again]);
    for (const one of [corrected, b3]) expect([a, b, again]).not.toContain(one);
  });

  it('is the same in the file after an import, also when a person takes its columns off', async () => {
    const outcomes = new Map([[2, { url: 'https://x.example/s', slug: 's', error: '' }]]);
    const result = resultFile(tableOf(FILE), outcomes, HEADINGS).slice(1);
    expect(result).toContain("'-20 %");
    expect(await keys(result)).toEqual(await keys(FILE));
    const off = result.replace(/(,[^,\r]*){3}\r\n/g, '\r\n');
    expect(off).toContain("destination,name\r\n/a,\r\n/b,'-20 %\r\n");
    expect(await keys(off)).toEqual(await keys(FILE));
  });
});

it.each([
  FILE,
  '-x,destination,,\n=1,/a,,\n=1,/geo?at=52.5,13.4,ada,\n,/a,,b\n',
  'destination,,a;b\n/a,,"x;=1"\n/b,c,"“d”"\n',
])('The file after an import comes back as the table that it was: %j', (text) => {
  const table = tableOf(text);
  const once = tableOf(resultFile(table, new Map(), HEADINGS).slice(1));
  expect(once).toEqual(table);
  expect(tableOf(resultFile(once, new Map(), HEADINGS).slice(1))).toEqual(table);
});
