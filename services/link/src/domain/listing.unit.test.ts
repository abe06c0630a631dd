import { readSearch } from '@landfall/contracts';
import { describe, expect, it } from 'vitest';
import { fitting, type Named, PAGE_BYTES, slugsNamed, wantedLinks, wantedOfKeys } from './listing.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const nothing = {
  appId,
  state: 'all',
  tag: null,
  origin: 'all',
  userId: null,
  createdFrom: null,
  createdBefore: null,
} as const;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const id = '7a1c9b1e-3c44-4c8a-9d2e-5b8f0f2f9a01';
type Asked = Omit<Parameters<typeof wantedLinks>[0], 'search'> & { search: string | null };
const query = ({ search = null, ...over }: Partial<Asked>) => ({
  ...nothing,
  ...over,
  search: search === null ? null : readSearch(search),
});
const wanted = (over: Partial<Asked> = {}, behind: Parameters<typeof wantedLinks>[1] = null) =>
  wantedLinks(query(over), behind, null);
const now = new Date('2026-11-15T12:00:00.000Z');
const ofKeys = (over: Partial<Asked>, named: Named | null = null) => wantedOfKeys(query(over), null, named, now);

describe('a search', () => {
  it.each([
    ['/products', { destination: '/products', slug: null }],
    ['  /products ', { destination: '/products', slug: null }],
    ['1763737445000-abc', { destination: null, slug: '1763737445000-abc' }],
    ['1763737445000-ABC', { destination: null, slug: '1763737445000-abc' }],
    ['https://demo.example/1763737445000-abc?utm_source=mail#x', { destination: null, slug: '1763737445000-abc' }],
    ['HTTP://demo.example:8080/1763737445000-abc', { destination: null, slug: '1763737445000-abc' }],
    ['demo.example:8080/1763737445000-abc', { destination: null, slug: '1763737445000-abc' }],
  ])('for %j finds links of keys by a beginning', (search, found) => {
    expect(ofKeys({ search })).toMatchObject({ ...found, words: [], origin: 'keys' });
  });

  it.each([
    ['Shop', ['shop']],
    ['invite?from=leo', ['invite?from=leo']],
    ['17637374450001', ['17637374450001']],
    // Not the slugs of 2003 and 2119.
    ['1042', ['1042']],
    ['4711', ['4711']],
    ['-abc x', ['-abc', 'x']],
  ])('for %j finds links of keys by words, in one walk', (search, words) => {
    expect(ofKeys({ search })).toMatchObject({ words, slug: null, destination: null, oneWalk: { behind: null } });
  });

  it.each(['https://demo.example', 'https://demo.example/sale', 'demo.example/sale', ' '])(
    'for %j finds no link of keys, and asks nobody',
    (search) => {
      expect(ofKeys({ search })).toBeNull();
    },
  );

  it('finds the one link of a key whose slug it names', () => {
    const named = { slug: 'Sale', createdAt: new Date('2026-11-01T00:00:00.000Z'), managed: false };
    expect(slugsNamed(query({ search: 'https://demo.example/Sale?x' }))).toEqual(['Sale', 'sale']);
    expect(slugsNamed(query({ search: '1763737445000-abc' }))).toEqual([]);
    expect(ofKeys({ search: '/Sale' }, named)).toMatchObject({
      slug: 'Sale',
      from: new Date('2026-11-01T00:00:00.000Z'),
      after: { at: new Date('2026-11-01T00:00:00.001Z'), id: FIRST_ID },
    });
  });

  it('finds the one link of a person whose path it is, and other links by their destination', () => {
    const named = { slug: 'sale', createdAt: now, managed: true };
    expect(slugsNamed(query({ search: '/Sale', origin: 'people' }))).toEqual(['Sale', 'sale']);
    expect(wantedLinks(query({ search: '/Sale' }), null, named)).toMatchObject({ words: ['sale'] });
    expect(ofKeys({ search: '/Sale' }, named)).toMatchObject({ destination: '/Sale', slug: null });
  });

  it.each([
    ['Spring  SALE', ['spring', 'sale']],
    ['a b a c d e f', ['a', 'b', 'c', 'd', 'e']],
    ['https://demo.example/Sale?x', ['sale']],
    ['demo.localhost:9140/Sale', ['sale']],
    ['/p?utm_source=Mail', ['/p?utm_source=mail']],
  ])('for %j finds links of people by words', (search, words) => {
    expect(wanted({ search })).toMatchObject({ words, origin: 'people', slug: null, destination: null });
  });

  it.each([
    { search: ' ' },
    { search: 'https://demo.example/' },
    { search: 'x', origin: 'keys' },
    { tag: 'x', origin: 'keys' },
  ] as const)('of %j finds nothing, and asks nobody', (asked) => {
    expect(wanted(asked)).toBeNull();
  });

  it.each([{ tag: 'spring' }, { userId: id }, { origin: 'people' }] as const)(
    'with %j is among links of people',
    (asked) => {
      expect(wanted(asked)).toMatchObject({ origin: 'people' });
      expect(ofKeys({ ...asked, search: '/x' })).toBeNull();
    },
  );

  it('for a slug is one for a time', () => {
    expect(ofKeys({ search: '1763737445000-abc' })).toMatchObject({
      from: new Date(1763737445000),
      after: { at: new Date(1763737445001), id: FIRST_ID },
    });
    expect(ofKeys({ search: '17637' })).toMatchObject({
      from: new Date(1763700000000),
      after: { at: new Date(1763800000000), id: FIRST_ID },
    });
  });
});

describe('bounds', () => {
  it('are the narrowest of those given', () => {
    const behind = { at: new Date(1763737445500), id };
    const createdBefore = new Date(1763737445501).toISOString();
    const createdFrom = new Date(1763737445000).toISOString();
    expect(wanted({ createdBefore }, behind)).toMatchObject({ after: { at: new Date(1763737445500), id } });
    expect(wanted({ createdBefore: new Date(1763737445500).toISOString() }, behind)).toMatchObject({
      after: { at: new Date(1763737445500), id: FIRST_ID },
    });
    expect(ofKeys({ search: '17', createdFrom, createdBefore })).toMatchObject({
      from: new Date(1763737445000),
      after: { at: new Date(1763737445501), id: FIRST_ID },
    });
  });

  it('that hold nothing ask nobody', () => {
    const createdFrom = new Date(1763737445000).toISOString();
    expect(wanted({ createdFrom, createdBefore: new Date(1763737444999).toISOString() })).toBeNull();
    expect(ofKeys({ createdFrom, search: '1763737444999-' })).not.toBeNull();
    expect(ofKeys({ createdFrom, search: '1763737444998-' })).toBeNull();
  });

  it('hold every time that can be said', () => {
    for (const time of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) wanted({ createdFrom: time });
    expect(wanted({ createdFrom: '0000-01-01T00:00:00.000Z' })).toMatchObject({ from: new Date(0) });
    expect(wanted({ createdBefore: '0000-01-01T00:00:00.000Z' })).toBeNull();
  });
});

describe('a page', () => {
  const row = (size: number) => ({ text: 'ä'.repeat(size / 2) });

  it('is all rows, where a message holds them', () => {
    expect(fitting([])).toEqual([]);
    expect(fitting([row(10), row(20)])).toEqual([row(10), row(20)]);
  });

  it('ends where a message is full', () => {
    const rows = [row(PAGE_BYTES / 2), row(PAGE_BYTES / 3), row(PAGE_BYTES / 3)];
    expect(fitting(rows)).toEqual(rows.slice(0, 2));
  });

  it('has one row at least', () => {
    expect(fitting([row(PAGE_BYTES * 2), row(2)])).toEqual([row(PAGE_BYTES * 2)]);
  });
});
