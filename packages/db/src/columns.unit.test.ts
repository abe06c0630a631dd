import { describe, expect, it } from 'vitest';
import { arrayOf } from './binary-array.ts';
import { columnsOf } from './columns.ts';

interface Link {
  readonly id: string;
  readonly clicks: number;
  readonly slug: string | null;
}

const [A, B] = ['0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11', '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c12'] as const;
const columns = columnsOf<Link>({
  id: ['uuid', (link) => link.id],
  slug: ['text', (link) => link.slug],
  clicks: ['int', (link) => link.clicks],
});
const links: Link[] = [
  { id: A, clicks: 3, slug: 'a' },
  { id: B, clicks: 1, slug: null },
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
      arrayOf('uuid', [A, B]),
      arrayOf('text', ['a', null]),
      arrayOf('int', [3, 1]),
    ]);
    expect(columns.valuesOf([])).toEqual([arrayOf('uuid', []), arrayOf('text', []), arrayOf('int', [])]);
  });
});
