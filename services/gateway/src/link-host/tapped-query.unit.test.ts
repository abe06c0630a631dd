import fc from 'fast-check';
import { expect, it } from 'vitest';
import { passedOn, publishedQuery, viaOf, withoutOwn } from './tapped-query.ts';

it.each([
  ['', ''],
  ['?', ''],
  ['?a=1&b=%20', 'a=1&b=%20'],
  ['?lf_touch=1', ''],
  ['a=1&lf_touch=0&b', 'a=1&b'],
  ['a=lf_touch=1', 'a=lf_touch=1'],
  ['?qr', ''],
  ['a=1&lf_out=x&lf_exit=y&openExternalBrowser=1', 'a=1'],
  ['a=1&qr=&lf_via=banner&b', 'a=1&b'],
  // Parameters of the app.
  ['qr=7&myqr&lf_viable=1', 'qr=7&myqr&lf_viable=1'],
])('%j without our own parameters is %j', (query, expected) => {
  expect(withoutOwn(query)).toBe(expected);
});

it('passes parts on unchanged, except those of our own and those that the target has', () => {
  const query = '?a=1&b=%20&c&lf_touch=1&lf_Any=2&%6cf_x=3&qr&=4&%zz=5&&d=1&D=2';
  expect(passedOn(query, ['D', 'x'])).toEqual(['a=1', 'b=%20', 'c']);
  expect(passedOn('', [])).toEqual([]);
});

it('passes on a query of 2,048 characters, and only the campaign of a longer one', () => {
  const fits = `a=${'x'.repeat(2_030)}&utm_source=b`;
  expect(passedOn(fits, [])).toHaveLength(2);
  expect(passedOn(`${fits}xxxxx`, [])).toEqual(['utm_source=bxxxxx']);
  expect(passedOn(`utm_term=${'x'.repeat(2_100)}&gclid=1`, [])).toEqual(['gclid=1']);
});

it.each([
  ['utm_source=mail&utm_campaign=a%20b', 'utm_source=mail&utm_campaign=a%20b'],
  ['email=ann%40shop.example&utm_source=mail', 'utm_source=mail'],
  ['gclid=1&fbclid=2&ScCid=3&li_fat_id=4&yclid=5', 'gclid=1&fbclid=2&ScCid=3&li_fat_id=4&yclid=5'],
  ['ref=1&Ref=2&ref[a]=3&refs=4&xref=5', 'ref=1&ref[a]=3'],
  ['UTM_Source=a&%75tm_medium=b&utm=c&xutm_source=d', 'UTM_Source=a&%75tm_medium=b'],
  ['%zz=1&%=2&=3&&email&ref', 'ref'],
  ['constructor=1&__proto__=2', ''],
  ['', ''],
])('of %j events have %j', (query, published) => {
  expect(publishedQuery(query, ['ref', 'ref[a]', ''.padEnd(3, 'z')])).toBe(published);
});

it('events have no other parameter', () => {
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

it.each([
  ['', 'link'],
  ['?qr', 'qr'],
  ['utm_source=a&qr=', 'qr'],
  ['lf_via=qr', 'qr'],
  ['lf_via=banner&a=1', 'banner'],
  // A parameter of the app.
  ['qr=7', 'link'],
  ['lf_via=door', 'link'],
] as const)('by %j a person came by %s', (query, via) => {
  expect(viaOf(query)).toBe(via);
});
