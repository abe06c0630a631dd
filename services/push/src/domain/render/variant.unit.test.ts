import type { PushMessage } from '@landfall/contracts';
import { describe, expect, test } from 'vitest';
import { message as plain } from '../../values.testing.ts';
import { variantOf, variantsOf } from './variant.ts';

describe('a language', () => {
  const localized = {
    de: { title: 'Angebot', body: 'Heute' },
    'de-AT': { title: 'Aktion' },
    'zh-Hant': { title: '特賣', body: '今天' },
  };
  const message: PushMessage = { ...plain, ios: { title: 'iSale', body: 'iToday' }, localized };

  test.each([
    ['de-AT', 'Aktion', 'Heute'],
    ['de-CH', 'Angebot', 'Heute'],
    ['fi', 'iSale', 'iToday'],
    ['__proto__', 'iSale', 'iToday'],
    [null, 'iSale', 'iToday'],
  ])('%s is shown %s', (language, title, body) => {
    expect(variantOf(message, 'ios', language)).toMatchObject({ title, body });
  });

  test('is made once for all devices that are shown the same', () => {
    expect(variantOf(message, 'ios', 'de-CH')).toBe(variantOf(message, 'ios', 'de'));
    expect(variantOf(message, 'ios', 'fi')).toBe(variantOf(message, 'ios', null));
    expect(variantOf(message, 'android', 'de')).not.toBe(variantOf(message, 'ios', 'de'));
  });

  test('is one of those whose size counts', () => {
    expect(variantsOf(message)).toHaveLength(2 * (1 + 3));
  });
});

test('the fields of one platform say nothing on the other', () => {
  const ios = { interruptionLevel: 'passive', sound: 'chime' } as const;
  const message: PushMessage = { ...plain, ios, android: { channelId: 'offers' } };
  expect(variantOf(message, 'ios', null)).toMatchObject({ ...ios, channelId: null });
  const others = { interruptionLevel: null, sound: null, channelId: 'offers' };
  expect(variantOf(message, 'android', null)).toMatchObject(others);
});

test.each([
  [{}, false],
  [{ imageUrl: 'https://cdn.example/a.png' }, true],
  [{ imageUrl: 'https://cdn.example/a.png', mutableContent: false }, false],
  [{ mutableContent: true }, true],
  [{ mutableContent: true, ios: { mutableContent: false } }, false],
])('the extension may change %j: %s', (more, mutableContent) => {
  expect(variantOf({ ...plain, ...more }, 'ios', null).mutableContent).toBe(mutableContent);
});
