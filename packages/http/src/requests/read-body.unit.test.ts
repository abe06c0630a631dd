import { ChangedNumber, isChanged, parseExactly } from '@landfall/api-client/exact-json';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findFault } from './read-body.ts';

const becomes = (literal: string): unknown => {
  const { a } = parseExactly(`{"a":${literal}}`) as { a: unknown };
  return a instanceof ChangedNumber ? a.became : 'kept';
};

it.each([
  ['9007199254740993', 9007199254740992],
  ['9007199254740993e0', 9007199254740992],
  ['900719925474099.3E1', 9007199254740992],
  ['12345678901234567.5', 12345678901234568],
  ['1180591620717411303424', 1.1805916207174113e21],
  ['1e400', Number.POSITIVE_INFINITY],
  [`1${'0'.repeat(400)}`, Number.POSITIVE_INFINITY],
  ['1e-400', 0],
  [`0.${'0'.repeat(400)}1`, 0],
])('finds that %s would change', (literal, became) => {
  expect(becomes(literal)).toBe(became);
});

it.each([
  ['0'],
  ['-0'],
  ['0e999999'],
  ['0.000e-999'],
  ['9007199254740991'],
  ['10000000000000000000'],
  ['1e23'],
  ['100000000000000000000e-5'],
  ['123456789012345680000'],
  // Decimals are rounded: some programs write 0.1 with 17 digits.
  ['0.10000000000000001'],
  ['1.00000000000000000001'],
  ['5e-324'],
])('keeps %s', (literal) => {
  expect(becomes(literal)).toBe('kept');
});

it('finds them at any place, and never in strings', () => {
  const paths: [text: string, path: string | undefined][] = [
    ['{"metadata":{"orderId":9007199254740993}}', 'metadata.orderId'],
    ['{"metadata":{"ids":[1, 9007199254740993 ]}}', 'metadata.ids.1'],
    ['{"metadata":{"ids":[9007199254740993]}}', 'metadata.ids.0'],
    ['{"a":1e400\n}', 'a'],
    ['{\n  "a":\t9007199254740993\n}', 'a'],
    ['{"a":"9007199254740993","b":"x: 9007199254740993, 1e400, ","c":"\\": 9007199254740993"}', undefined],
    ['{"9007199254740993":1,"1e400":2}', undefined],
  ];
  for (const [text, path] of paths) expect(findFault(parseExactly(text))?.path, text).toBe(path);
});

it('explains what to do', () => {
  expect(findFault(parseExactly('{"a":9007199254740993}'))?.message).toBe(
    'is a number that would become 9007199254740992: send large numbers as strings',
  );
  expect(findFault(parseExactly('{"a":1e400}'))?.message).toBe(
    'is a number that is too large to be kept: send large numbers as strings',
  );
});

it('reads everything else as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2), (text, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      expect(parseExactly(spaced)).toEqual(JSON.parse(spaced));
    }),
  );
  for (const text of ['', '{', '{"a":01}', '{"a":9007199254740993', 'undefined'])
    expect(() => parseExactly(text)).toThrow(SyntaxError);
});

const exactly = (digits: bigint, exponent: number) =>
  exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n];

it('lets no integer change its printed form, and refuses no other', () => {
  const digits = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 10 }), (given, exponent) => {
      const literal = exponent === 0 ? `${given}` : `${given}e${exponent}`;
      const [written] = exactly(given, exponent);
      const value = Number(literal);
      const [, mantissa, more = '0'] = /^(-?[\d.]+)(?:e([+-]?\d+))?$/.exec(String(value))!;
      const [whole, fraction = ''] = mantissa!.split('.');
      const [printed] = exactly(BigInt(`${whole}${fraction}`), Number(more) - fraction.length);
      expect(becomes(literal) !== 'kept').toBe(printed !== written);
    }),
    { numRuns: 1_000 },
  );
});

it('takes time linear in the length of the text', () => {
  const literal = `1${'0'.repeat(200_000)}1`;
  expect(isChanged(literal, 1e20)).toBe(true);
  expect(becomes(`0.${'0'.repeat(60_000)}1`)).toBe(0);
  const deep = `{"a":${'['.repeat(30_000)}9007199254740993${']'.repeat(30_000)}}`;
  expect(() => parseExactly(deep)).toThrow(RangeError);
});
