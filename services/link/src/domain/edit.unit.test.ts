import type { Link } from '@landfall/contracts';
import { describe, expect, it } from 'vitest';
import { changesOf, edited } from './edit.ts';

const now = new Date('2026-11-21T15:04:05.000Z');
const link: Link = {
  id: '7a1c9b1e-3c44-4c8a-9d2e-5b8f0f2f9a01',
  appId: '11111111-1111-4111-8111-111111111111',
  slug: '1763737445000-abc',
  destination: '/a?b=1',
  metadata: { a: 1, b: { c: 2 } },
  createdAt: '2026-11-20T00:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  archivedAt: null,
  version: 3,
};
const edit = (change: object) =>
  edited(
    link,
    {
      linkId: link.id,
      actor: { kind: 'operator', userId: null, tokenId: null, address: null },
      teamId: null,
      ifVersion: null,
      labelKeys: [],
      ...change,
    },
    now,
  );

describe('an edit', () => {
  it.each([
    [{}, {}],
    [{ destination: '/c' }, { destination: '/c' }],
    [{ metadata: {} }, { metadata: {} }],
    [{ expiresAt: null }, { expiresAt: null }],
    [{ archived: true }, { archivedAt: now.toISOString() }],
    [{ archived: false }, {}],
  ])('of %j changes that, and counts', (change, becomes) => {
    expect(edit(change)).toEqual({ ...link, ...becomes, version: 4 });
  });
});

describe('what changed', () => {
  it('is said as it was and as it became, and nothing else', () => {
    const after = edit({
      destination: '/c',
      metadata: { a: 1, b: { c: 3 } },
      archived: true,
      expiresAt: link.expiresAt,
    });
    expect(changesOf(link, after)).toEqual({
      before: { destination: '/a?b=1', metadata: { a: 1, b: { c: 2 } }, archivedAt: null },
      after: { destination: '/c', metadata: { a: 1, b: { c: 3 } }, archivedAt: now.toISOString() },
    });
    expect(changesOf(link, edit({ destination: link.destination, metadata: { a: 1, b: { c: 2 } } }))).toEqual({
      before: {},
      after: {},
    });
  });
});
