// Tests the limits for people on an installation. They do not apply to its owners.
import type { Actor } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { type ConsoleFixture, consoleSuite } from './console.testing.ts';
import { DEFAULT_RULES, type Rules } from './domain/rules.ts';
import { as, done, join, refused, setUp } from './people.testing.ts';
import { createTeam } from './teams/teams.ts';

const suite = (name: string, rules: Rules, tests: Parameters<typeof consoleSuite>[1]) =>
  consoleSuite(name, tests, rules);

const makeTeam = ({ ask }: ConsoleFixture, actor: Actor) => ask(createTeam, { actor, name: 'Lemons' });

suite('an installation that says nothing of teams', DEFAULT_RULES, (fixture) => {
  it('lets its owners alone make them', async () => {
    const ada = await setUp(fixture);
    for (const role of ['viewer', 'admin', 'owner'] as const) {
      const userId = await join(fixture, as(ada.userId), ada.teamId, `${role}@example.com`, role);
      expect(await refused(makeTeam(fixture, as(userId)))).toBe('FORBIDDEN');
    }
    await done(makeTeam(fixture, as(ada.userId)));
  });
});

const few: Rules = {
  teamCreation: 'anyone',
  teamsPerPerson: 2,
  appsPerTeam: 2,
  formerSubdomains: 2,
  plan: { name: 'free', linksPerMonth: 10 },
};

suite('an installation with limits', few, (fixture) => {
  it('lets a person own so many teams', async () => {
    const ada = await setUp(fixture);
    const actor = as(await join(fixture, as(ada.userId), ada.teamId, 'bob@example.com', 'viewer'));
    for (let i = 0; i < 2; i++) await done(makeTeam(fixture, actor));
    expect(await refused(makeTeam(fixture, actor))).toBe('TOO_MANY_TEAMS');
    for (let i = 0; i < 3; i++) await done(makeTeam(fixture, as(ada.userId)));
  });
});
