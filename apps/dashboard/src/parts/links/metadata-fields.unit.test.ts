import { expect, it } from 'vitest';
import { takeFields, withFields } from './metadata-fields.ts';

const metadata = { campaign: 'spring', og_title: 'Hi', og_image: 5, other: { a: 1 } };
const keys = ['campaign', 'og_title', 'og_image', 'none'];

it('takes texts out of the metadata, and leaves the rest as it is', () => {
  expect(takeFields(metadata, keys)).toEqual({
    fields: { campaign: 'spring', og_title: 'Hi' },
    rest: { og_image: 5, other: { a: 1 } },
  });
});

it('puts them back, without those that are empty', () => {
  const { fields, rest } = takeFields(metadata, keys);
  expect(withFields(metadata, rest, fields)).toEqual(metadata);
  expect(withFields(metadata, rest, { ...fields, campaign: ' ', og_title: ' Ho ' })).toEqual({
    og_title: 'Ho',
    og_image: 5,
    other: { a: 1 },
  });
});

it('leaves a text that was not edited as it is', () => {
  const before = { campaign: ' spring ', n: 1, og_title: '' };
  const { fields, rest } = takeFields(before, keys);
  expect(JSON.stringify(withFields(before, rest, fields))).toBe(JSON.stringify(before));
  expect(withFields(before, rest, { ...fields, og_title: 'Hi', og_description: '' })).toEqual({
    campaign: ' spring ',
    n: 1,
    og_title: 'Hi',
  });
});
