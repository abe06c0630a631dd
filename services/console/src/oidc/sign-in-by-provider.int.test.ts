// Sign-in through a provider: whom it lets in, and as whom.
import { randomUUID } from 'node:crypto';
import { ApiError, sha256 } from '@landfall/http';
import { expect, it } from 'vitest';
import { type Browser, type ConsoleFixture, callerIn, callFrom, consoleSuite, newBrowser } from '../console.testing.ts';
import { choosePassword, resetPassword } from '../passwords/password-routes.ts';
import { as, done, hashOf, join, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';
import { sessionOfBrowser } from '../sessions/session-of-browser.ts';
import { listSessions } from '../sessions/session-routes.ts';
import { invite } from '../teams/invitations.ts';
import { listMembers } from '../teams/teams.ts';
import { createToken } from '../tokens/tokens.ts';
import { type FromProvider, signInByProvider } from './sign-in-by-provider.ts';

const ISSUER = 'https://sso.example';

/**
 * Signs in a person whom the provider has confirmed.
 * @param who the email; null: the provider has verified none
 */
async function ask(
  { parts }: ConsoleFixture,
  who: string | null,
  subject: string,
  { browser = newBrowser(), ...more }: Partial<FromProvider> & { browser?: Browser } = {},
) {
  const call = callFrom(browser);
  const { give, ...begun } = sessionOfBrowser(call, parts);
  const device = parts.cookies.device(call.headers);
  const wanted = {
    visit: randomUUID(),
    issuer: ISSUER,
    subjectHash: hashOf(subject),
    email: who,
    name: 'Grace',
    ofOwnDomain: true,
    deviceHash: device && sha256(device.id),
    ...begun,
    ...more,
  };
  try {
    return { ok: true as const, reply: give(await signInByProvider(wanted, parts)) };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false as const, refusal: { code: error.code } };
    throw error;
  }
}

const identitiesOf = ({ parts }: ConsoleFixture, userId: string) => parts.account.identities.ofPerson(userId);
const reset = async (fixture: ConsoleFixture, who: string) =>
  (await done(fixture.ask(resetPassword, { email: who }))).code;
const choose = (fixture: ConsoleFixture, code: string, browser = newBrowser()) =>
  done(fixture.ask(choosePassword, { code, password: PASSWORD, browser }));

consoleSuite('sign-in through a provider', (fixture) => {
  it('makes a person once, with no password, and knows them by what the provider calls them', async () => {
    await setUp(fixture);
    const browser = newBrowser();
    const { person, session } = await done(ask(fixture, ' Grace@Example.com ', 'grace', { browser }));
    expect(person).toMatchObject({ name: 'Grace', hasPassword: false, instanceOwner: false });
    expect(person.email).toBe('grace@example.com');
    expect(session.userId).toBe(person.id);
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId: person.id, roles: new Map() });
    // The current email at the provider does not matter.
    const again = await done(ask(fixture, null, 'grace', { ofOwnDomain: false, name: 'Other' }));
    expect(again.person).toEqual(person);
    expect(again.session.id).not.toBe(session.id);
    const [identity] = await identitiesOf(fixture, person.id);
    expect(identity).toMatchObject({ issuer: ISSUER });
    expect(identity!.lastUsedAt > identity!.createdAt).toBe(true);
    expect(await refused(signIn(fixture, 'grace@example.com'))).toBe('WRONG_CREDENTIALS');
  });

  it('says in the audit log how they came in, and of what they are called nothing', async () => {
    await setUp(fixture);
    const { person, session } = await done(ask(fixture, 'grace@example.com', 'grace'));
    await done(ask(fixture, 'grace@example.com', 'grace'));
    const rows = await fixture.database.rows<{ after: object }>(
      `select actor_kind, actor_user_id, subject, team_id, after from account.audit
       where action = 'SignInByProvider' order by at`,
    );
    const actor = { actor_kind: 'person', actor_user_id: person.id, team_id: null };
    expect(rows).toEqual([
      { ...actor, subject: session.id, after: { issuer: ISSUER, person: 'made', email: 'grace@example.com' } },
      { ...actor, subject: expect.any(String), after: { issuer: ISSUER, person: 'known' } },
    ]);
  });

  it('makes nobody without a verified email, a domain or an invitation, nor before the first owner', async () => {
    expect(await refused(ask(fixture, 'grace@example.com', 'grace'))).toBe('NO_ACCOUNT');
    const { userId, teamId } = await setUp(fixture);
    expect(await refused(ask(fixture, null, 'grace'))).toBe('EMAIL_NOT_VERIFIED');
    expect(await refused(ask(fixture, 'grace@example.com', 'grace', { ofOwnDomain: false }))).toBe('NO_ACCOUNT');
    const invitation = { actor: as(userId), teamId, email: 'Grace@example.com', role: 'viewer' };
    await done(fixture.ask(invite, invitation));
    fixture.clock.advance({ days: 8 });
    expect(await refused(ask(fixture, 'grace@example.com', 'grace', { ofOwnDomain: false }))).toBe('NO_ACCOUNT');
    await done(fixture.ask(invite, invitation));
    await done(ask(fixture, 'grace@example.com', 'grace', { ofOwnDomain: false }));
  });

  it('opens no account with a password where the password was never given', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    // Accounts of before this rule were never confirmed, and nobody takes them over.
    await fixture.database.rows('update account.users set claimable = false');
    const [bobs, adas] = [newBrowser('office'), newBrowser('office')];
    await done(signIn(fixture, 'bob@example.com', PASSWORD, bobs));
    await done(signIn(fixture, 'ada@example.com', PASSWORD, adas));
    expect(await refused(ask(fixture, null, 'bob', { browser: bobs }))).toBe('EMAIL_NOT_VERIFIED');
    // Several people may share an address.
    for (const browser of [newBrowser('office'), adas])
      expect(await refused(ask(fixture, 'bob@example.com', 'bob', { browser }))).toBe('PASSWORD_FIRST');
    expect(await identitiesOf(fixture, bob)).toEqual([]);
    const { person } = await done(ask(fixture, 'bob@example.com', 'bob', { browser: bobs }));
    expect(person).toMatchObject({ id: bob, hasPassword: true, emailVerified: true });
    expect((await done(ask(fixture, 'bob@example.com', 'bob'))).person.id).toBe(bob);
    await done(signIn(fixture, 'bob@example.com'));
  });

  it('gives an account that nobody confirmed to the owner of its email, and ends what the other person knows', async () => {
    const { userId, teamId } = await setUp(fixture);
    const ceo = await join(fixture, as(userId), teamId, 'ceo@example.com', 'member');
    const members = async () => (await done(fixture.ask(listMembers, { teamId }))).members;
    expect((await members()).find((one) => one.userId === ceo)).toMatchObject({ emailVerified: false });
    const thief = newBrowser();
    await done(signIn(fixture, 'ceo@example.com', PASSWORD, thief));
    const { id: device } = fixture.parts.cookies.device(callFrom(thief).headers)!;
    const token = await done(fixture.ask(createToken, { actor: as(ceo), teamId, scope: 'write' }));
    expect(await fixture.parts.lookups.token(hashOf(token.plaintext))).toMatchObject({ caller: { userId: ceo } });

    const browser = newBrowser('elsewhere');
    const { person } = await done(ask(fixture, 'ceo@example.com', 'ceo', { browser, name: 'The CEO' }));
    expect(person).toMatchObject({ id: ceo, name: 'The CEO', hasPassword: false, emailVerified: true });
    expect((await members()).find((one) => one.userId === ceo)).toMatchObject({ emailVerified: true, role: 'member' });
    expect(await refused(signIn(fixture, 'ceo@example.com'))).toBe('WRONG_CREDENTIALS');
    expect((await done(fixture.ask(listSessions, { browser }))).sessions).toHaveLength(1);
    expect(await callerIn(thief, fixture.parts)).toBeNull();
    expect(await fixture.parts.lookups.token(hashOf(token.plaintext))).toBeNull();
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId: ceo });
    const places = await fixture.parts.account.signIns.knownPlaces(ceo, [sha256(device)], new Date(fixture.clock()));
    expect(places.size).toBe(0);
    const [row] = await fixture.database.rows<{ after: object }>(
      `select after from account.audit where action = 'SignInByProvider'`,
    );
    expect(row!.after).toMatchObject({ person: 'taken over' });
    // Now it is confirmed, and no other identity gets it.
    expect(await refused(ask(fixture, 'ceo@example.com', 'another'))).toBe('OTHER_IDENTITY');
  });

  it('takes over no account that was confirmed, and none of an owner of the instance', async () => {
    const { userId, teamId } = await setUp(fixture);
    expect(await refused(ask(fixture, 'ada@example.com', 'ada'))).toBe('PASSWORD_FIRST');
    await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const code = await reset(fixture, 'bob@example.com');
    expect(await refused(ask(fixture, 'bob@example.com', 'bob'))).toBe('PASSWORD_FIRST');
    expect((await choose(fixture, code)).person).toMatchObject({ emailVerified: true });
    expect(await refused(ask(fixture, 'bob@example.com', 'bob'))).toBe('PASSWORD_FIRST');
    // The provider confirmed this one at another time, under another issuer.
    await join(fixture, as(userId), teamId, 'eve@example.com', 'member');
    await done(ask(fixture, 'eve@example.com', 'eve', { issuer: 'https://second.example' }));
    await fixture.database.rows(`update account.users set password_hash = 'x' where email = 'eve@example.com'`);
    expect(await refused(ask(fixture, 'eve@example.com', 'eve'))).toBe('PASSWORD_FIRST');
  });

  it('means one person by an account', async () => {
    await setUp(fixture);
    const browser = newBrowser();
    const { person } = await done(ask(fixture, 'grace@example.com', 'grace', { browser }));
    expect(await refused(ask(fixture, 'grace@example.com', 'another', { browser }))).toBe('OTHER_IDENTITY');
    // Another provider can confirm the same person. The account has no password, so no other person can have set one.
    const second = await done(ask(fixture, 'grace@example.com', 'grace', { issuer: 'https://second.example' }));
    expect(second.person.id).toBe(person.id);
    expect((await identitiesOf(fixture, person.id)).map(({ issuer }) => issuer)).toEqual([
      ISSUER,
      'https://second.example',
    ]);
  });

  it('makes one person of those who come at once', async () => {
    await setUp(fixture);
    const same = await Promise.all(Array.from({ length: 4 }, () => done(ask(fixture, 'grace@example.com', 'grace'))));
    expect(new Set(same.map(({ person }) => person.id)).size).toBe(1);
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((subject) => ask(fixture, 'bob@example.com', subject)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer.refusal.code).toBe('OTHER_IDENTITY');
  });

  it('makes one session of a way to the provider', async () => {
    const { userId } = await setUp(fixture);
    const visit = randomUUID();
    const [browser, other] = [newBrowser(), newBrowser()];
    const { session } = await done(ask(fixture, 'grace@example.com', 'grace', { visit, browser }));
    for (const again of [browser, other])
      expect(await refused(ask(fixture, 'grace@example.com', 'grace', { visit, browser: again }))).toBe('SIGN_IN_USED');
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ sessionId: session.id });
    expect(other.cookies.size).toBe(0);
    const sessions = await fixture.database.rows('select 1 from account.sessions where user_id <> $1', [userId]);
    expect(sessions).toHaveLength(1);

    const once = randomUUID();
    const both = await Promise.all([1, 2].map(() => ask(fixture, 'grace@example.com', 'grace', { visit: once })));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('is begun anew when the operator resets the password', async () => {
    await setUp(fixture);
    const { person } = await done(ask(fixture, 'grace@example.com', 'grace'));
    const code = await reset(fixture, 'grace@example.com');
    expect(await identitiesOf(fixture, person.id)).toEqual([]);
    expect(await refused(ask(fixture, 'grace@example.com', 'new subject'))).toBe('PASSWORD_FIRST');
    const browser = newBrowser();
    await choose(fixture, code, browser);
    expect((await done(ask(fixture, 'grace@example.com', 'new subject', { browser }))).person.id).toBe(person.id);
  });
});
