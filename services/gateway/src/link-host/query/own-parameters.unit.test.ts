import { describe, expect, it } from 'vitest';
import { withoutOwn } from './own-parameters.ts';

describe('withoutOwn', () => {
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
  ])('%j', (query, expected) => {
    expect(withoutOwn(query)).toBe(expected);
  });
});
