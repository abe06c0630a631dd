// Tests the limits for people on an installation. They do not apply to its owners.
import type { Actor } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { consoleSuite, type TestConsole } from './console.testing.ts';
import { DEFAULT_RULES, type Rules } from './domain/rules.ts';
import { as, done, join, refused, setUp } from './people.testing.ts';
import { createTeam } from './teams/teams.ts';

const suite = (name: string, rules: Rules, tests: Parameters<typeof consoleSuite>[1]) =>
  consoleSuite(name, tests, rules);

const makeTeam = ({ ask }: TestConsole, actor: Actor) => ask(createTeam, { actor, name: 'Lemons' });

suite('an installation that says nothing of teams', DEFAULT_RULES, (house) => {
  it('lets its owners alone make them', async () => {
    const ada = await setUp(house);
    for (const role of ['viewer', 'admin', 'owner'] as const) {
      const userId = await join(house, as(ada.userId), ada.teamId, `${role}@example.com`, role);
      expect(await refused(makeTeam(house, as(userId)))).toBe('FORBIDDEN');
    }
    await done(makeTeam(house, as(ada.userId)));
  });
});

const few: Rules = {
  teamCreation: 'anyone',
  teamsPerPerson: 2,
  appsPerTeam: 2,
  formerSubdomains: 2,
  plan: { name: 'free', linksPerMonth: 10 },
};

suite('an installation with limits', few, (house) => {
  it('lets a person own so many teams', async () => {
    const ada = await setUp(house);
    const actor = as(await join(house, as(ada.userId), ada.teamId, 'bob@example.com', 'viewer'));
    for (let i = 0; i < 2; i++) await done(makeTeam(house, actor));
    expect(await refused(makeTeam(house, actor))).toBe('TOO_MANY_TEAMS');
    for (let i = 0; i < 3; i++) await done(makeTeam(house, as(ada.userId)));
  });
});
