import { type PushMessage, plainPush } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { readMessage, withoutPlain } from './stored-message.ts';

const plain: PushMessage = {
  title: 'Sale',
  body: 'Today',
  destinationPath: null,
  metadata: {},
  imageUrl: null,
  sound: null,
  badge: null,
  collapseKey: null,
  ...plainPush,
};

test('what an earlier version stored is what it was', () => {
  const { title, body, destinationPath, metadata, imageUrl, sound, badge, collapseKey } = plain;
  const stored = { title, body, destinationPath, metadata, imageUrl, sound, badge, collapseKey };
  expect(readMessage(stored)).toEqual(plain);
  expect(JSON.stringify(withoutPlain(plain))).toBe(JSON.stringify(stored));
  expect(withoutPlain({ ...plain, silent: true, localized: { de: { title: 'x' } } })).toEqual({
    ...stored,
    silent: true,
    localized: { de: { title: 'x' } },
  });
});
