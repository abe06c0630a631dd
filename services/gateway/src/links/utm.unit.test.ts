import { describe, expect, it } from 'vitest';
import { utmInQuery, utmNamesOfLink, utmOf, utmOfLink } from './utm.ts';

describe('utmOfLink', () => {
  it('takes text from metadata, and before it the last value of the destination', () => {
    const metadata = { utm_term: 7, utm_content: ' ', UTM_X: 'x', utm_source: 'given', utm_id: 'given', other: 'o' };
    expect([...utmOfLink({ destination: '/p?utm_id=1&utm_id=2#utm_term=no', metadata })]).toEqual([
      ['utm_source', 'given'],
      ['utm_id', '2'],
    ]);
  });
});

describe('utmInQuery', () => {
  it('reads whole names and leaves out blank values', () => {
    expect([...utmInQuery('utm_source=a%20b+c&xutm_id=1&utm_=1&utm_a-b=1&utm_term=%00%20&utm_Own=1')]).toEqual([
      ['utm_source', 'a b c'],
      ['utm_Own', '1'],
    ]);
  });
});

describe('utmOf', () => {
  const none = { source: null, medium: null, campaign: null, term: null, content: null };
  it.each([
    ['a=1', '/path?b=2', null],
    ['utm_source=mail', '/path', { ...none, source: 'mail' }],
    ['', '/path?utm_source=link&utm_campaign=may', { ...none, source: 'link', campaign: 'may' }],
    ['utm_source=tap', '/path?utm_source=link&utm_campaign=may', { ...none, source: 'tap', campaign: 'may' }],
    ['utm_source=', '/path?utm_source=link#utm_term=no', { ...none, source: 'link' }],
    ['utm_source=%00%20', '/', null],
    ['utm_sources=x&xutm_source=y&utm_id=z', '/', null],
  ] as const)('%j with the destination %j', (query, destination, utm) => {
    expect(utmOf(query, { destination, metadata: {} })).toEqual(utm);
  });

  it('knows the metadata of the link, after its destination', () => {
    const metadata = { utm_campaign: 'spring', utm_source: 'given' };
    expect(utmOf('', { destination: '/?utm_source=link', metadata })).toEqual({
      ...none,
      source: 'link',
      campaign: 'spring',
    });
  });

  it('is bounded, and cuts between characters', () => {
    const term = (value: string) =>
      utmOf(`utm_term=${encodeURIComponent(value)}`, { destination: '/', metadata: {} })?.term;
    expect(term('x'.repeat(1_000))).toHaveLength(200);
    expect(term(`${'x'.repeat(199)}\u{1f680}`)).toBe('x'.repeat(199));
  });
});

describe('utmNamesOfLink', () => {
  it.each([
    ['', ['source', 'campaign', 'content']],
    ['utm_source=tap&utm_campaign=tap', ['content']],
    ['utm_source=tap', ['campaign', 'content']],
    ['utm_source=link&utm_term=tap', ['source', 'campaign', 'content']],
  ] as const)('of %j knows what is of the link: %j', (query, names) => {
    const link = { destination: '/path?utm_source=link&utm_campaign=may', metadata: { utm_content: 'given' } };
    expect(utmNamesOfLink(utmOf(query, link), link)).toEqual(names);
  });
});
