import { chosenSlug } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { slugFaultOf } from './slug.ts';

it('names the character that a slug cannot have', () => {
  expect(slugFaultOf('sommer-é!')).toEqual({ fault: 'character', found: 'é' });
  expect(slugFaultOf('a😀')).toEqual({ fault: 'character', found: '😀' });
  expect(slugFaultOf('_sale')).toEqual({ fault: 'first', found: '_' });
});

it.each(['sale', 'Sale_2', '2-', 'a', '', '-a', 'a.b', 'ſa', '\u212aa', '1763737445000-a'])(
  'takes what the API takes: %j',
  (slug) => expect(slugFaultOf(slug) === null).toBe(chosenSlug().safeParse(slug).success),
);
