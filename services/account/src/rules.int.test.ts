// Tests the limits for people on an installation. They do not apply to its owners.
import type { Bus } from '@landfall/bus';
import { type Actor, AppSettings, CreateApp, CreateTeam, TransferApp, UpdateApp } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { DEFAULT_RULES, type Rules } from './domain/rules.ts';
import { as, done, join, refused, service, setUp } from './people.testing.ts';

const suite = (name: string, rules: Rules, tests: Parameters<typeof handlerSuite>[2]) =>
  handlerSuite(name, { service: (parts) => service({ ...parts, rules }) }, tests);

const makeTeam = ({ bus }: { bus: Bus }, actor: Actor) => bus.ask(CreateTeam, { actor, name: 'Lemons' });
const makeApp = ({ bus }: { bus: Bus }, actor: Actor, teamId: string, subdomain: string) =>
  bus.ask(CreateApp, { actor, teamId, name: 'Shop', subdomain, settings: AppSettings.parse({}) });

suite('an installation that says nothing of teams', DEFAULT_RULES, (house) => {
  it('lets its owners alone make them', async () => {
    const ada = await setUp(house);
    for (const role of ['viewer', 'admin', 'owner'] as const) {
      const userId = await join(house, as(ada.userId), ada.teamId, `${role}@example.com`, role);
      expect(await refused(makeTeam(house, as(userId)))).toBe('FORBIDDEN');
    }
    await done(makeTeam(house, as(ada.userId)));
  });

  it('gives its apps a plan without a limit', async () => {
    const ada = await setUp(house);
    const { app } = await done(makeApp(house, as(ada.userId), ada.teamId, 'shop'));
    expect(app.plan).toEqual({ name: 'unlimited', linksPerMonth: null });
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
  /** A person who owns a team, but has no rights on the installation. */
  async function bob() {
    const ada = await setUp(house);
    const userId = await join(house, as(ada.userId), ada.teamId, 'bob@example.com', 'viewer');
    const { team } = await done(makeTeam(house, as(userId)));
    return { ada, actor: as(userId), teamId: team.id };
  }

  it('lets a person own so many teams', async () => {
    const { ada, actor } = await bob();
    await done(makeTeam(house, actor));
    expect(await refused(makeTeam(house, actor))).toBe('TOO_MANY_TEAMS');
    for (let i = 0; i < 3; i++) await done(makeTeam(house, as(ada.userId)));
  });

  it('lets a team have so many apps, also of those that were given to it or are archived', async () => {
    const { ada, actor, teamId } = await bob();
    const { app } = await done(makeApp(house, actor, teamId, 'one'));
    expect(app.plan).toEqual({ name: 'free', linksPerMonth: 10 });
    await done(makeApp(house, actor, teamId, 'two'));
    await done(house.bus.ask(UpdateApp, { actor, appId: app.id, archived: true, settings: {} }));
    expect(await refused(makeApp(house, actor, teamId, 'three'))).toBe('TOO_MANY_APPS');
    const { team: other } = await done(makeTeam(house, actor));
    const { app: third } = await done(makeApp(house, actor, other.id, 'three'));
    const transfer = { actor, appId: third.id, teamId };
    expect(await refused(house.bus.ask(TransferApp, transfer))).toBe('TOO_MANY_APPS');
    // The first owner's team has no limit.
    for (const name of ['x1', 'x2', 'x3']) await done(makeApp(house, as(ada.userId), ada.teamId, name));
  });

  it('lets two that are made at once not be one too many', async () => {
    const { actor, teamId } = await bob();
    const answers = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => makeApp(house, actor, teamId, name)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
  });

  it('lets an app give up so many names, and take each of them back', async () => {
    const { actor, teamId } = await bob();
    const { app } = await done(makeApp(house, actor, teamId, 'first'));
    const rename = (subdomain: string, by = actor) =>
      house.bus.ask(UpdateApp, { actor: by, appId: app.id, subdomain, settings: {} });
    await done(rename('second'));
    await done(rename('third'));
    expect(await refused(rename('fourth'))).toBe('TOO_MANY_SUBDOMAINS');
    await done(rename('first'));
    expect(await refused(rename('fourth'))).toBe('TOO_MANY_SUBDOMAINS');
    const operator = { kind: 'operator', userId: null, tokenId: null, address: null } as const;
    await done(rename('fourth', operator));
  });
});
