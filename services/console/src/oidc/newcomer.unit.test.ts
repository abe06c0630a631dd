import { expect, it } from 'vitest';
import { type Newcomer, refuseNewcomer, takesOver } from './newcomer.ts';

/** All possible combinations of facts: one for each set of bits. */
const everybody: Newcomer[] = Array.from({ length: 2 ** 9 }, (_, set) => {
  const has = (bit: number) => (set & (1 << bit)) !== 0;
  const person = {
    hasPassword: has(0),
    hasIdentity: has(1),
    browserKnown: has(2),
    claimable: has(3),
    instanceOwner: has(4),
  };
  return { emailVerified: has(5), invited: has(6), ofOwnDomain: has(7), person: has(8) ? person : null };
});

it('lets nobody in without a verified email, and says nothing else to them', () => {
  const unverified = everybody.filter(({ emailVerified }) => !emailVerified);
  expect(new Set(unverified.map(refuseNewcomer))).toEqual(new Set(['EMAIL_NOT_VERIFIED']));
});

it('makes whoever is invited or of an own domain', () => {
  for (const one of everybody.filter(({ emailVerified, person }) => emailVerified && !person))
    expect(refuseNewcomer(one)).toBe(one.invited || one.ofOwnDomain ? null : 'NO_ACCOUNT');
});

it('opens an account for one identity, and one with a password in a browser that knows it', () => {
  for (const one of everybody.filter(({ emailVerified, person }) => emailVerified && person)) {
    const { hasPassword, hasIdentity, browserKnown } = one.person!;
    const locked = hasPassword && !browserKnown && !takesOver(one);
    const expected = hasIdentity ? 'OTHER_IDENTITY' : locked ? 'PASSWORD_FIRST' : null;
    expect(refuseNewcomer(one)).toBe(expected);
  }
});

it('gives an account away only if nobody confirmed it, and it has no rights over the instance', () => {
  const taken = everybody.filter(takesOver);
  expect(taken.length).toBeGreaterThan(0);
  for (const { emailVerified, person } of taken)
    expect({ emailVerified, ...person }).toMatchObject({
      ...{ emailVerified: true, claimable: true, instanceOwner: false, hasIdentity: false },
    });
  // Who entered the password in this browser, and owns the email, made the account. Nothing of it ends.
  expect(taken.filter(({ person }) => person?.hasPassword && person.browserKnown)).toEqual([]);
});
