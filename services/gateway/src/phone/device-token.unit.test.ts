import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf, spelt, tokenShapes } from './device-token.ts';

const FCM = 'dQw4w9WgXcQ:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx_0f6X2b7Zt3oJ0b9c8d7e6f5';

describe('the provider of a token', () => {
  it.each([FCM, 'e1:short', 'an-installation_id', '0123456789abcdefg', `${'a1'.repeat(32)}g`, `x1${'x'.repeat(4094)}`])(
    'Firebase: %s',
    (token) => {
      expect(kindOf(token)).toBe('fcm');
    },
  );

  it.each(['ab'.repeat(32), 'AB'.repeat(32), '0f'.repeat(80), 'ab'.repeat(100)])('Apple: %s', (token) => {
    expect(kindOf(token)).toBe('apns');
  });

  it.each([
    '',
    ' ',
    'a b:c',
    `${FCM}\n`,
    'ab'.repeat(31),
    `${'ab'.repeat(32)}a`,
    'ab'.repeat(101),
    '<abcd1234 abcd1234>',
    'tökén:1',
    'a\u0000:b',
    ...['null', 'undefined', 'None', 'nil', 'NaN', 'false', 'unknown', 'DEVICE', '0'],
    ...['(null)', '[object Object]', '[object_Object]', 'Optional(a1:b)', '{token:a1}', '"a1:b"', "'a1:b'"],
    ...['SERVICE_NOT_AVAILABLE', 'TOO_MANY_REGISTRATIONS', '<null>', '<your-token>', `<${'ab'.repeat(32)}>`],
    ...['ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]', 'ExpoPushToken[a1:b]'],
  ])('nobody: %j', (token) => {
    expect(kindOf(token)).toBeNull();
  });
});

it("Apple's tokens have one spelling, Firebase's do not change", () => {
  expect(spelt('AB'.repeat(32))).toBe('ab'.repeat(32));
  expect(spelt(FCM)).toBe(FCM);
});

it('has a documented format that equals the check', () => {
  const shapes = tokenShapes.map((pattern) => new RegExp(pattern, 'u'));
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), maxLength: 210 });
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), hex, fc.string({ unit: 'grapheme-ascii' }), fc.stringMatching(/^[A-Z_a-c0-3:]{0,12}$/)),
      (token) => {
        expect(shapes.some((shape) => shape.test(token))).toBe(kindOf(token) !== null);
        const word = /^(?:[A-Za-z]*|[A-Z_]*|[0-9A-Fa-f]*)$/.test(token) && !/^(?:[0-9A-Fa-f]{2}){32,100}$/.test(token);
        if (word) expect(kindOf(token)).toBeNull();
      },
    ),
  );
});
