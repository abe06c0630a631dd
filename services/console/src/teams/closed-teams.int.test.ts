// Teams that need a second factor: they are closed to the sessions of members who have none.
import { told } from '@landfall/bus';
import { PersonChanged } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { authorise } from '../access/authorise.ts';
import type { Needs } from '../access/needs.ts';
import { type Browser, callerIn, consoleSuite, newBrowser } from '../console.testing.ts';
import { getMe } from '../people/people.ts';
import { as, done, join, refused, setUp, signIn } from '../people.testing.ts';
import { newTotpSecret } from '../second-factor/totp.ts';
import { listMembers, updateTeam } from './teams.ts';

consoleSuite('a team that needs a second factor', (fixture) => {
  const viewer = { role: 'viewer', of: 'team' } as const;
  async function may(browser: Browser, teamId: string, needs: Needs = viewer): Promise<string> {
    const caller = await callerIn(browser, fixture.parts);
    const named = { params: { teamId }, body: undefined };
    return authorise(needs, caller, named, fixture.parts.lookups).then(
      () => 'yes',
      ({ code }: { code: string }) => code,
    );
  }
  /** As the routes do it: rows, and the event that empties the caches. */
  const giveApp = (userId: string) =>
    fixture.parts.telling({ id: crypto.randomUUID(), now: fixture.parts.now() }, async (tx) => {
      const secret = fixture.parts.sealer.seal('second factor', newTotpSecret());
      await tx.authenticatorApp.create({ data: { userId, secret, lastStep: 0, createdAt: fixture.parts.now() } });
      return { done: undefined, events: [told(PersonChanged, { userId })] };
    });
  const close = (browser: Browser, teamId: string) =>
    fixture.ask(updateTeam, { browser, teamId, needsSecondFactor: true });

  it('is closed to a member without one at once, and open with one at once', async () => {
    const { userId, teamId, browser } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'admin');
    const laptop = newBrowser();
    await done(signIn(fixture, 'bob@example.com', undefined, laptop));
    expect(await may(laptop, teamId)).toBe('yes');
    // An owner without one would close it to themselves.
    expect(await refused(close(browser, teamId))).toBe('SECOND_FACTOR_NEEDED');
    await giveApp(userId);
    const { team } = await done(close(browser, teamId));
    expect(team).toMatchObject({ needsSecondFactor: true, name: 'First', version: 2 });

    expect(await may(browser, teamId)).toBe('yes');
    expect(await may(laptop, teamId)).toBe('SECOND_FACTOR_NEEDED');
    expect((await done(fixture.ask(getMe, { browser: laptop }))).teams).toMatchObject([{ id: teamId, closed: true }]);
    await giveApp(bob);
    expect(await may(laptop, teamId)).toBe('yes');
    expect((await done(fixture.ask(getMe, { browser: laptop }))).teams).toMatchObject([{ closed: false }]);
    const audit = await fixture.database.rows(`select before, after from account.audit where action = 'UpdateTeam'`);
    expect(audit).toEqual([{ before: { needsSecondFactor: false }, after: { needsSecondFactor: true } }]);
  });

  it('is closed to an owner of the installation who is its member, too', async () => {
    const { userId, teamId, browser } = await setUp(fixture);
    await fixture.database.rows('update account.teams set needs_second_factor = true');
    const again = newBrowser();
    await done(signIn(fixture, 'ada@example.com', undefined, again));
    expect(await may(again, teamId)).toBe('SECOND_FACTOR_NEEDED');
    expect(await may(again, teamId, 'instance-owner')).toBe('yes');
    await giveApp(userId);
    expect(await may(browser, teamId)).toBe('yes');
  });

  it('is open to whom the provider signed in', async () => {
    const { teamId } = await setUp(fixture);
    await fixture.database.rows('update account.teams set needs_second_factor = true');
    const browser = newBrowser();
    await done(signIn(fixture, 'ada@example.com', undefined, browser));
    await fixture.database.rows('update account.sessions set by_provider = true');
    expect(await may(browser, teamId)).toBe('yes');
  });

  it('tells those who may invite, and nobody else, who has one', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    await giveApp(bob);
    const seen = async (who: string) => {
      const browser = newBrowser();
      await done(signIn(fixture, who, undefined, browser));
      const { members } = await done(fixture.ask(listMembers, { browser, teamId }));
      return members.map(({ secondFactor }) => secondFactor);
    };
    expect(await seen('ada@example.com')).toEqual([false, true]);
    fixture.clock.advance({ seconds: 1 });
    await fixture.database.rows('delete from account.authenticator_apps');
    expect(await seen('bob@example.com')).toEqual([null, null]);
  });
});
