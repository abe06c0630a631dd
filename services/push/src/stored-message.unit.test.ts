import { expect, test } from 'vitest';
import { readMessage, withoutPlain } from './stored-message.ts';
import { message } from './values.testing.ts';

test('what an earlier version stored is what it was', () => {
  const { title, body, destinationPath, metadata, imageUrl, sound, badge, collapseKey } = message;
  const stored = { title, body, destinationPath, metadata, imageUrl, sound, badge, collapseKey };
  expect(readMessage(stored)).toEqual(message);
  expect(JSON.stringify(withoutPlain(message))).toBe(JSON.stringify(stored));
  const later = { silent: true, localized: { de: { title: 'x' } } };
  expect(withoutPlain({ ...message, ...later })).toEqual({ ...stored, ...later });
});
