import { expect, it } from 'vitest';
import { passedOn } from './passed-on.ts';

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
