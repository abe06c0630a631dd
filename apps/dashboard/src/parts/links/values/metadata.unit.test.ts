import { expect, it } from 'vitest';
import { metadataOf, pairsOf, personalKey, textOf, withText, wrongKey } from './metadata.ts';

const metadata = { campaign: ' spring ', og_title: 'Hi', og_description: '', og_image: 5, other: { a: 1 } };

it('comes back as it is when nothing is edited', () => {
  expect(JSON.stringify(metadataOf(pairsOf(metadata), metadata))).toBe(JSON.stringify(metadata));
});

it('has the entered texts in their places, without those that are empty', () => {
  const pairs = withText(withText(withText(pairsOf(metadata), 'campaign', ' a '), 'og_title', ' '), 'new', 'x');
  expect(textOf(pairs, 'campaign')).toBe(' a ');
  expect(textOf(pairs, 'og_image')).toBe('');
  expect(JSON.stringify(metadataOf(pairs, metadata))).toBe(
    JSON.stringify({ campaign: 'a', og_description: '', og_image: 5, other: { a: 1 }, new: 'x' }),
  );
});

it('names a key that is missing or given twice', () => {
  expect(wrongKey([{ key: '', text: '' }])).toBeNull();
  expect(wrongKey([{ key: ' ', text: 'x' }])).toBe('');
  expect(
    wrongKey([
      { key: 'a', text: 'x' },
      { key: 'a ', text: 'y' },
    ]),
  ).toBe('a');
  expect(wrongKey(pairsOf(metadata))).toBeNull();
});

it('tells values that may name a person', () => {
  expect(personalKey([{ key: 'inviter', text: 'ann@example.com' }])).toBe('inviter');
  expect(personalKey([{ key: 'x', text: '{"a":["b@example.com"]}', json: {} }])).toBe('x');
  expect(personalKey([{ key: 'userId', text: '42' }])).toBe('userId');
  expect(
    personalKey([
      { key: 'user_id', text: '' },
      { key: 'email_campaign', text: 'spring' },
    ]),
  ).toBeNull();
});
