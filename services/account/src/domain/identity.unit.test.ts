import { expect, it } from 'vitest';
import { type Newcomer, refuseNewcomer } from './identity.ts';

const no = [false, true] as const;

/** All possible combinations of facts. */
const everybody: Newcomer[] = no.flatMap((emailVerified) =>
  no.flatMap((invited) =>
    no.flatMap((ofOwnDomain) =>
      [
        null,
        ...no.flatMap((hasPassword) =>
          no.flatMap((hasIdentity) => no.map((browserKnown) => ({ hasPassword, hasIdentity, browserKnown }))),
        ),
      ].map((person) => ({ emailVerified, invited, ofOwnDomain, person })),
    ),
  ),
);

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
    const expected = hasIdentity ? 'OTHER_IDENTITY' : hasPassword && !browserKnown ? 'PASSWORD_FIRST' : null;
    expect(refuseNewcomer(one)).toBe(expected);
  }
});
