import { expect, it } from 'vitest';
import { peopleAddresses } from './people-addresses.ts';

it('are counted only among the last ones', () => {
  const people = peopleAddresses(4);
  expect(people.read()).toEqual({ requests: 0, since: null, addresses: 0, forwarded: 0, mostFrequent: null });
  people.saw('203.0.113.7', false, 1);
  people.saw('10.0.0.5', true, 2);
  people.saw('10.0.0.5', true, 3);
  expect(people.read()).toEqual({
    requests: 3,
    since: 1,
    addresses: 2,
    forwarded: 2,
    mostFrequent: { requests: 2, address: '10.0.0.5' },
  });
  people.saw('10.0.0.5', true, 4);
  people.saw('10.0.0.5', false, 5);
  expect(people.read()).toMatchObject({ requests: 4, since: 2, addresses: 1, forwarded: 3 });
});

it("name a private address, and no person's", () => {
  const people = peopleAddresses();
  people.saw('203.0.113.7', false, 1);
  expect(people.read().mostFrequent).toEqual({ requests: 1, address: null });
});
