import fc from 'fast-check';
import { expect, it } from 'vitest';
import { publishedQuery } from './published-query.ts';

it.each([
  ['utm_source=mail&utm_campaign=a%20b', 'utm_source=mail&utm_campaign=a%20b'],
  ['email=ann%40shop.example&utm_source=mail', 'utm_source=mail'],
  ['gclid=1&fbclid=2&ScCid=3&li_fat_id=4&yclid=5', 'gclid=1&fbclid=2&ScCid=3&li_fat_id=4&yclid=5'],
  ['ref=1&Ref=2&ref[a]=3&refs=4&xref=5', 'ref=1&ref[a]=3'],
  ['UTM_Source=a&%75tm_medium=b&utm=c&xutm_source=d', 'UTM_Source=a&%75tm_medium=b'],
  ['%zz=1&%=2&=3&&email&ref', 'ref'],
  ['constructor=1&__proto__=2', ''],
  ['', ''],
])('of %j is %j', (query, published) => {
  expect(publishedQuery(query, ['ref', 'ref[a]', ''.padEnd(3, 'z')])).toBe(published);
});

it('contains no other parameter', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('utm_source', 'gclid', 'ref', 'email'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
      const query = new URLSearchParams(pairs).toString();
      const wanted = pairs.filter(([key]) => /^utm_/i.test(key) || ['gclid', 'ref'].includes(key));
      const kept = [...new URLSearchParams(publishedQuery(query, ['ref']))];
      expect(kept).toEqual(wanted.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]));
    }),
  );
});
