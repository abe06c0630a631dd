import { describe, expect, it } from 'vitest';
import { readRows } from './import-rows.ts';

const read = (record: Record<string, string>) => readRows([record], Object.keys(record), 'f').rows[0];

describe('a row of an import', () => {
  it('has the columns of the export', () => {
    expect(
      read({ destination: ' /a ', metadata: '{"a": 1}', expiresAt: '2030-01-01T00:00:00Z', url: 'u', id: 'i' }),
    ).toEqual({
      destination: '/a',
      metadata: { a: 1 },
      expiresAt: '2030-01-01T00:00:00.000Z',
      idempotencyKey: 'import-f-0',
    });
  });

  it('takes single metadata values, and a day', () => {
    expect(
      read({ destination: '/a', 'metadata.campaign': 'spring', 'metadata.empty': '', expiresAt: '2030-01-01' }),
    ).toEqual({
      destination: '/a',
      metadata: { campaign: 'spring' },
      expiresAt: '2030-01-01T00:00:00.000Z',
      idempotencyKey: 'import-f-0',
    });
  });

  it('keeps what is wrong, so that the check names it', () => {
    expect(read({ destination: 'a', metadata: '{', expiresAt: 'soon' })).toMatchObject({
      destination: 'a',
      metadata: '{',
      expiresAt: 'soon',
    });
  });
});

it('names columns that it does not use, and a missing destination', () => {
  expect(readRows([], ['link', 'slug', 'metadata.a'], 'f')).toEqual({
    rows: [],
    unused: ['link'],
    withoutDestination: true,
  });
});
