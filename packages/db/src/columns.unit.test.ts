import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.ts';

interface Link {
  readonly id: string;
  readonly clicks: number;
  readonly slug: string | null;
}

const columns = columnsOf<Link>({
  id: ['uuid', (link) => link.id],
  slug: ['text', (link) => link.slug],
  clicks: ['int', (link) => link.clicks],
});
const links: Link[] = [
  { id: 'id of a', clicks: 3, slug: 'a' },
  { id: 'id of b', clicks: 1, slug: null },
];

describe('columnsOf', () => {
  it('names the columns in the order of the table', () => {
    expect(columns.names).toBe('id, slug, clicks');
    expect(columns.arrays).toBe('$1::uuid[], $2::text[], $3::int[]');
    expect(columns.unnest('l')).toBe('unnest($1::uuid[], $2::text[], $3::int[]) as l(id, slug, clicks)');
    expect(columns.unnest('l', 'n')).toBe(
      'unnest($1::uuid[], $2::text[], $3::int[]) with ordinality as l(id, slug, clicks, n)',
    );
  });

  it('returns an array for each column, in the same order, with the rows in theirs', () => {
    expect(columns.valuesOf(links)).toEqual([
      ['id of a', 'id of b'],
      ['a', null],
      [3, 1],
    ]);
    expect(columns.valuesOf([])).toEqual([[], [], []]);
  });

  it('lets the caller write the arrays by their types', () => {
    const write = (values: unknown[], type: string) => [type, ...values].join();
    expect(columns.valuesOf(links, write)).toEqual(['uuid,id of a,id of b', 'text,a,', 'int,3,1']);
  });
});
