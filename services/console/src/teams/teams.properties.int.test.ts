// The same properties with the real routes: any requests, by any person, in any order.
import { FindApp, type Role, roles } from '@landfall/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { transferApp } from '../apps/apps.ts';
import { type ConsoleFixture, consoleSuite, done, makeApp } from '../console.testing.ts';
import { as, join, rules, setUp } from '../people.testing.ts';
import { acceptInvitation, invite, revokeInvitation } from './invitations.ts';
import { listMembers, removeMember, setRole } from './members.ts';
import { createTeam } from './teams.ts';

const NAMES = ['bob', 'carol', 'dan'];
const rank = (role: Role | undefined) => (role === undefined ? -1 : roles.indexOf(role));

const who = fc.nat({ max: NAMES.length });
const step = fc.record({
  does: fc.constantFrom('invite', 'accept', 'accept', 'revoke', 'set', 'remove', 'leave', 'transfer'),
  by: who,
  to: who,
  team: fc.nat({ max: 1 }),
  role: fc.constantFrom(...roles),
});

/** Every kind of step once, mostly by Bob in his team. */
const oneOfEach = [
  { does: 'invite', by: 1, to: 0, team: 1, role: 'viewer' },
  { does: 'accept', by: 0, to: 0, team: 1, role: 'viewer' },
  { does: 'invite', by: 1, to: 2, team: 1, role: 'viewer' },
  { does: 'revoke', by: 1, to: 0, team: 1, role: 'viewer' },
  { does: 'set', by: 1, to: 0, team: 1, role: 'member' },
  { does: 'remove', by: 1, to: 0, team: 1, role: 'viewer' },
  { does: 'transfer', by: 1, to: 0, team: 1, role: 'viewer' },
  { does: 'leave', by: 2, to: 0, team: 0, role: 'viewer' },
] as const;

const properties = (fixture: ConsoleFixture) => {
  it('has an owner, and nobody a role that no one with that right gave', { timeout: 120_000 }, async () => {
    const { userId: ada, teamId: firstTeam } = await setUp(fixture);
    const people = [ada];
    for (const name of NAMES) people.push(await join(fixture, as(ada), firstTeam, `${name}@example.com`, 'viewer'));
    const emails = ['ada', ...NAMES].map((name) => `${name}@example.com`);
    const succeeded = new Map<string, number>();

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
        // Two teams, one of Ada and one of Bob, with a few other people and an app.
        const teams: string[] = [];
        for (const owner of [0, 1])
          teams.push((await done(fixture.ask(createTeam, { actor: as(people[owner]!), name: 'T' }))).team.id);
        const app = await makeApp(fixture, { teamId: teams[0]! });
        const enter = async (team: number, to: number, role: Role) => {
          const offer = { actor: as(people[team]!), teamId: teams[team]!, email: emails[to]!, role };
          const { code } = await done(fixture.ask(invite, offer));
          await done(fixture.ask(acceptInvitation, { actor: as(people[to]!), code }));
        };
        await enter(0, 1, 'owner');
        await enter(0, 2, 'admin');
        await enter(1, 3, 'member');
        const offers: { code: string; id: string; team: number; to: number; role: Role }[] = [];
        const rolesOf = async (team: number) => {
          const { members } = await done(fixture.ask(listMembers, { teamId: teams[team]! }));
          return new Map(members.map(({ userId, role }) => [people.indexOf(userId), role]));
        };
        for (const { does, by, to, team, role } of steps) {
          const before = await rolesOf(team);
          const teamId = teams[team]!;
          const actor = as(people[by]!);
          const offer = offers.findLast((one) => one.team === team && (does !== 'accept' || one.to === by));
          let gave: { by: number; to: number; role: Role } | undefined;
          let ok = false;
          if (does === 'invite') {
            const answer = await fixture.ask(invite, { actor, teamId, email: emails[to]!, role });
            ok = answer.ok;
            if (answer.ok) offers.push({ code: answer.reply.code, id: answer.reply.invitation.id, team, to, role });
            if (answer.ok) expect(rank(before.get(by))).toBeGreaterThanOrEqual(Math.max(rank(role), rank('admin')));
          } else if (does === 'accept' && offer) {
            ok = (await fixture.ask(acceptInvitation, { actor, code: offer.code })).ok;
            // An accepted invitation gives exactly the offered role, and only to the invited person. The right to offer
            // it was checked when it was made.
            if (ok) expect((await rolesOf(team)).get(by)).toBe(before.get(by) ?? offer.role);
          } else if (does === 'revoke' && offer) {
            ok = (await fixture.ask(revokeInvitation, { actor, teamId, invitationId: offer.id })).ok;
          } else if (does === 'set') {
            ok = (await fixture.ask(setRole, { actor, teamId, userId: people[to]!, role })).ok;
            if (ok) gave = { by, to, role };
          } else if (does === 'remove' || does === 'leave') {
            const userId = people[does === 'leave' ? by : to]!;
            ok = (await fixture.ask(removeMember, { actor, teamId, userId })).ok;
          } else if (does === 'transfer') {
            ok = (await fixture.ask(transferApp, { actor, appId: app.id, teamId })).ok;
            if (ok) expect((await done(fixture.bus.ask(FindApp, { appId: app.id }))).app.teamId).toBe(teamId);
            if (ok) expect(before.get(by)).toBe('owner');
          }
          if (ok) succeeded.set(does, (succeeded.get(does) ?? 0) + 1);
          const after = await rolesOf(team);
          expect([...after.values()]).toContain('owner');
          if (!ok) expect(after).toEqual(before);
          if (gave) expect(rank(before.get(gave.by))).toBeGreaterThanOrEqual(Math.max(rank(gave.role), rank('admin')));
        }
      }),
      { numRuns: 20, examples: [[[...oneOfEach]]] },
    );
    // This checks that each kind of step succeeds: a rule that refuses everything would pass the checks above.
    for (const does of ['invite', 'accept', 'revoke', 'set', 'remove', 'leave', 'transfer'])
      expect([does, succeeded.get(does) ?? 0]).toEqual([does, expect.toSatisfy((count: number) => count > 0)]);
  });
};

consoleSuite('a team', properties, rules);
