// After any sequence of role changes, a team has an owner, and every role was given by a person with the right to give
// it.
import { atLeast, type Role, roles } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertMayGive, assertMayInvite, assertMayRemove, type Deciding, type Membership } from './membership.ts';

const people = ['ada', 'bob', 'carol', 'dan', 'eve'];
const person = fc.constantFrom(...people);
const role = fc.constantFrom(...roles);
const actor: fc.Arbitrary<Deciding> = fc.oneof(
  { weight: 8, arbitrary: person.map((userId) => ({ kind: 'person' as const, userId })) },
  { weight: 1, arbitrary: person.map((userId) => ({ kind: 'token' as const, userId })) },
);
const step = fc.oneof(
  fc.record({ does: fc.constant('joins' as const), by: actor, userId: person, role }),
  fc.record({ does: fc.constant('sets' as const), by: actor, userId: person, role }),
  fc.record({ does: fc.constant('removes' as const), by: actor, userId: person, role }),
  person.map((userId) => ({
    does: 'removes' as const,
    by: { kind: 'person' as const, userId },
    userId,
    role: 'viewer' as Role,
  })),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const isRefused = (decide: () => unknown): boolean => {
  try {
    decide();
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return true;
  }
};

/** Returns the team after a step. A refused step leaves it unchanged. */
function after(team: readonly Membership[], { does, by, userId, role: given }: Step): readonly Membership[] {
  const others = team.filter((one) => one.userId !== userId);
  const isIn = others.length < team.length;
  if (does === 'joins')
    return isIn || isRefused(() => assertMayInvite(team, by, given)) ? team : [...team, { userId, role: given }];
  if (does === 'removes') return isRefused(() => assertMayRemove(team, by, userId)) ? team : others;
  return isRefused(() => assertMayGive(team, by, userId, given)) ? team : [...others, { userId, role: given }];
}

const roleIn = (team: readonly Membership[], userId: string | null): Role | null =>
  team.find((one) => one.userId === userId)?.role ?? null;

test('a team has an owner, and every role was given by somebody in person who had it', () => {
  const changes = { joins: 0, sets: 0, removes: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      let team: readonly Membership[] = [
        { userId: 'ada', role: 'owner' },
        { userId: 'bob', role: 'admin' },
        { userId: 'carol', role: 'member' },
      ];
      for (const one of steps) {
        const next = after(team, one);
        if (next === team) continue;
        changes[one.does]++;
        expect(next.some((member) => member.role === 'owner')).toBe(true);
        const own = roleIn(team, one.by.userId);
        const leaves = one.does === 'removes' && one.by.userId === one.userId;
        expect(one.by.kind).toBe('person');
        expect(leaves || atLeast(own!, 'admin')).toBe(true);
        // A person can only give or take roles up to their own.
        if (one.does !== 'removes') expect(atLeast(own!, one.role)).toBe(true);
        const taken = roleIn(team, one.userId);
        if (taken !== null && !leaves) expect(atLeast(own!, taken)).toBe(true);
        // Only the person of the step can have a new role.
        for (const userId of people) if (userId !== one.userId) expect(roleIn(next, userId)).toBe(roleIn(team, userId));
        team = next;
      }
    }),
    { numRuns: 600 },
  );
  // This checks that steps succeed often: a rule that refuses everything would pass the checks above.
  for (const count of Object.values(changes)) expect(count).toBeGreaterThan(150);
});

test('the operator may everything but leave a team without an owner', () => {
  const operator: Deciding = { kind: 'operator', userId: null };
  const team: Membership[] = [{ userId: 'ada', role: 'owner' }];
  const last = expect.objectContaining({ code: 'LAST_OWNER' });
  assertMayInvite(team, operator, 'owner');
  expect(() => assertMayRemove(team, operator, 'ada')).toThrow(last);
  expect(() => assertMayGive(team, operator, 'ada', 'viewer')).toThrow(last);
  assertMayGive([...team, { userId: 'bob', role: 'viewer' }], operator, 'bob', 'owner');
});
