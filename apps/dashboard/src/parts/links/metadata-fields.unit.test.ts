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
  expect(withFields(rest, fields, fields)).toEqual(metadata);
  expect(withFields(rest, fields, { ...fields, campaign: ' ', og_title: ' Ho ' })).toEqual({
    og_title: 'Ho',
    og_image: 5,
    other: { a: 1 },
  });
});

it('leaves a text that was not edited as it is', () => {
  const before = { campaign: ' spring ', og_title: '' };
  const { fields, rest } = takeFields(before, keys);
  expect(withFields(rest, fields, fields)).toEqual(before);
  expect(withFields(rest, fields, { ...fields, og_title: 'Hi', og_description: '' })).toEqual({
    campaign: ' spring ',
    og_title: 'Hi',
  });
});
