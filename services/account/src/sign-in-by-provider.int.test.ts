import { randomUUID } from 'node:crypto';
import {
  ChoosePassword,
  FindPerson,
  FindSession,
  FindToken,
  type InputOf,
  Invite,
  ListMembers,
  ListSessions,
  MakeToken,
  ResetPassword,
  SignInByProvider,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import {
  as,
  browser,
  done,
  email,
  hashOf,
  join,
  opened,
  password,
  refused,
  service,
  setUp,
  signIn,
} from './people.testing.ts';

const ISSUER = 'https://sso.example';

/**
 * Returns a sign-in of a person whom the provider has verified.
 * @param who the email; null: the provider has verified none
 */
function vouched(who: string | null, subject: string, more: Partial<InputOf<typeof SignInByProvider>> = {}) {
  const about = { issuer: ISSUER, subjectHash: hashOf(subject), email: who && email(who), name: 'Grace' };
  const from = { session: browser(), address: null, deviceHash: null, newDeviceHash: null };
  return { ...about, ...from, ofOwnDomain: true, ...more };
}
const ask = (house: House, ...[who, subject, more]: Parameters<typeof vouched>) =>
  house.bus.ask(SignInByProvider, vouched(who, subject, more));
const identitiesOf = async (house: House, userId: string) =>
  (await done(house.bus.ask(FindPerson, { userId }))).identities;

handlerSuite('sign-in through a provider', { service }, (house) => {
  it('makes a person once, with no password, and knows them by what the provider calls them', async () => {
    await setUp(house);
    const { person, session } = await done(
      ask(house, ' Grace@Example.com ', 'grace', { session: browser('a session of grace') }),
    );
    expect(person).toMatchObject({ name: 'Grace', hasPassword: false, instanceOwner: false });
    expect(opened(person.email)).toBe('grace@example.com');
    expect(session.userId).toBe(person.id);
    expect(await done(house.bus.ask(FindSession, { hash: hashOf('a session of grace') }))).toMatchObject({
      userId: person.id,
      memberships: [],
    });
    // The current email at the provider does not matter.
    const again = await done(ask(house, null, 'grace', { ofOwnDomain: false, name: 'Other' }));
    expect({ ...again.person, email: opened(again.person.email) }).toEqual({ ...person, email: 'grace@example.com' });
    expect(again.session.id).not.toBe(session.id);
    const [identity] = await identitiesOf(house, person.id);
    expect(identity).toMatchObject({ issuer: ISSUER });
    expect(identity!.lastUsedAt > identity!.createdAt).toBe(true);
    expect(await refused(signIn(house, 'grace@example.com'))).toBe('WRONG_CREDENTIALS');
  });

  it('says in the audit log how they came in, and of what they are called nothing', async () => {
    await setUp(house);
    const { person, session } = await done(ask(house, 'grace@example.com', 'grace', { address: hashOf('office') }));
    await done(ask(house, 'grace@example.com', 'grace'));
    const rows = await house.database.rows<{ after: object }>(
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
    expect(await refused(ask(house, 'grace@example.com', 'grace'))).toBe('NO_ACCOUNT');
    const { userId, teamId } = await setUp(house);
    expect(await refused(ask(house, null, 'grace'))).toBe('EMAIL_NOT_VERIFIED');
    expect(await refused(ask(house, 'grace@example.com', 'grace', { ofOwnDomain: false }))).toBe('NO_ACCOUNT');
    const invitation = { actor: as(userId), teamId, email: email('Grace@example.com'), role: 'viewer' } as const;
    await done(house.bus.ask(Invite, { ...invitation, codeHash: hashOf('an invitation') }));
    house.clock.advance({ days: 8 });
    expect(await refused(ask(house, 'grace@example.com', 'grace', { ofOwnDomain: false }))).toBe('NO_ACCOUNT');
    await done(house.bus.ask(Invite, { ...invitation, codeHash: hashOf('another') }));
    await done(ask(house, 'grace@example.com', 'grace', { ofOwnDomain: false }));
  });

  it('opens no account with a password where the password was never given', async () => {
    const { userId, teamId } = await setUp(house);
    const bob = await join(house, as(userId), teamId, 'bob@example.com', 'member');
    // Accounts of before this rule were never confirmed, and nobody takes them over.
    await house.database.rows('update account.users set claimable = false');
    await done(signIn(house, 'bob@example.com', undefined, { newDevice: 'bobs laptop', address: 'office' }));
    await done(signIn(house, 'ada@example.com', undefined, { newDevice: 'adas laptop' }));
    const from = (device: string | null) => ({ deviceHash: device && hashOf(device), address: hashOf('office') });
    expect(await refused(ask(house, null, 'bob', from('bobs laptop')))).toBe('EMAIL_NOT_VERIFIED');
    // Several people may share an address.
    expect(await refused(ask(house, 'bob@example.com', 'bob', from(null)))).toBe('PASSWORD_FIRST');
    expect(await refused(ask(house, 'bob@example.com', 'bob', from('adas laptop')))).toBe('PASSWORD_FIRST');
    expect(await identitiesOf(house, bob)).toEqual([]);
    const { person } = await done(ask(house, 'bob@example.com', 'bob', from('bobs laptop')));
    expect(person).toMatchObject({ id: bob, hasPassword: true, emailVerified: true });
    expect((await done(ask(house, 'bob@example.com', 'bob'))).person.id).toBe(bob);
    await done(signIn(house, 'bob@example.com'));
  });

  it('gives an account that nobody confirmed to the owner of its email, and ends what the other person knows', async () => {
    const { userId, teamId } = await setUp(house);
    const ceo = await join(house, as(userId), teamId, 'ceo@example.com', 'member');
    const members = async () => (await done(house.bus.ask(ListMembers, { teamId }))).members;
    expect((await members()).find((one) => one.userId === ceo)).toMatchObject({ emailVerified: false });
    const thief = await done(signIn(house, 'ceo@example.com', undefined, { newDevice: 'thief' }));
    const made = {
      actor: as(ceo),
      userId: ceo,
      teamId,
      scope: 'write',
      label: 'x',
      hint: 'x',
      expiresAt: null,
    } as const;
    await done(house.bus.ask(MakeToken, { ...made, hash: hashOf('a token of the thief') }));

    const session = browser('a session of the owner');
    const { person } = await done(ask(house, 'ceo@example.com', 'ceo', { session, name: 'The CEO' }));
    expect(person).toMatchObject({ id: ceo, name: 'The CEO', hasPassword: false, emailVerified: true });
    expect((await members()).find((one) => one.userId === ceo)).toMatchObject({ emailVerified: true, role: 'member' });
    expect(await refused(signIn(house, 'ceo@example.com'))).toBe('WRONG_CREDENTIALS');
    const { sessions } = await done(house.bus.ask(ListSessions, { userId: ceo }));
    expect(sessions.map(({ id }) => id)).not.toContain(thief.session.id);
    expect(sessions).toHaveLength(1);
    expect(await refused(house.bus.ask(FindToken, { hash: hashOf('a token of the thief') }))).toBe('TOKEN_UNKNOWN');
    expect(await done(house.bus.ask(FindSession, { hash: session.hash }))).toMatchObject({ userId: ceo });
    const known = await house.database.rows('select 1 from account.known_places where hash = $1', [
      Buffer.from(hashOf('thief'), 'base64url'),
    ]);
    expect(known).toEqual([]);
    const [row] = await house.database.rows<{ after: object }>(
      `select after from account.audit where action = 'SignInByProvider'`,
    );
    expect(row!.after).toMatchObject({ person: 'taken over' });
    // Now it is confirmed, and no other identity gets it.
    expect(await refused(ask(house, 'ceo@example.com', 'another'))).toBe('OTHER_IDENTITY');
  });

  it('takes over no account that was confirmed, and none of an owner of the instance', async () => {
    const { userId, teamId } = await setUp(house);
    expect(await refused(ask(house, 'ada@example.com', 'ada'))).toBe('PASSWORD_FIRST');
    await join(house, as(userId), teamId, 'bob@example.com', 'member');
    const operator = { kind: 'operator', userId: null, tokenId: null, address: null } as const;
    const codeHash = hashOf('code');
    await done(house.bus.ask(ResetPassword, { actor: operator, email: email('bob@example.com'), codeHash }));
    expect(await refused(ask(house, 'bob@example.com', 'bob'))).toBe('PASSWORD_FIRST');
    const chosen = { codeHash, next: password(), session: browser(), address: null, newDeviceHash: null };
    const { person } = await done(house.bus.ask(ChoosePassword, chosen));
    expect(person).toMatchObject({ emailVerified: true });
    expect(await refused(ask(house, 'bob@example.com', 'bob'))).toBe('PASSWORD_FIRST');
    // The provider confirmed this one at another time, under another issuer.
    await join(house, as(userId), teamId, 'eve@example.com', 'member');
    await done(ask(house, 'eve@example.com', 'eve', { issuer: 'https://second.example' }));
    await house.database.rows(`update account.users set password_hash = 'x' where email = 'eve@example.com'`);
    expect(await refused(ask(house, 'eve@example.com', 'eve'))).toBe('PASSWORD_FIRST');
  });

  it('means one person by an account', async () => {
    await setUp(house);
    const { person } = await done(ask(house, 'grace@example.com', 'grace', { newDeviceHash: hashOf('laptop') }));
    const other = { deviceHash: hashOf('laptop') };
    expect(await refused(ask(house, 'grace@example.com', 'another', other))).toBe('OTHER_IDENTITY');
    // Another provider can confirm the same person. The account has no password, so no other person can have set one.
    const second = await done(ask(house, 'grace@example.com', 'grace', { issuer: 'https://second.example' }));
    expect(second.person.id).toBe(person.id);
    expect((await identitiesOf(house, person.id)).map(({ issuer }) => issuer)).toEqual([
      ISSUER,
      'https://second.example',
    ]);
  });

  it('makes one person of those who come at once', async () => {
    await setUp(house);
    const same = await Promise.all(Array.from({ length: 4 }, () => done(ask(house, 'grace@example.com', 'grace'))));
    expect(new Set(same.map(({ person }) => person.id)).size).toBe(1);
    const answers = await Promise.all(['one', 'two', 'three'].map((subject) => ask(house, 'bob@example.com', subject)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer.refusal.code).toBe('OTHER_IDENTITY');
  });

  it('makes one session of a way to the provider', async () => {
    await setUp(house);
    const id = randomUUID();
    const wanted = vouched('grace@example.com', 'grace');
    const first = await done(house.bus.ask(SignInByProvider, wanted, { id }));
    expect(await done(house.bus.ask(SignInByProvider, wanted, { id }))).toEqual(first);
    const other = { ...wanted, session: browser() };
    expect(await refused(house.bus.ask(SignInByProvider, other, { id }))).toBe('SIGN_IN_USED');
    expect(await refused(house.bus.ask(FindSession, { hash: other.session.hash }))).toBe('SESSION_UNKNOWN');
  });

  it('is begun anew when the operator resets the password', async () => {
    await setUp(house);
    const { person } = await done(ask(house, 'grace@example.com', 'grace'));
    const reset = { actor: { kind: 'operator', userId: null, tokenId: null, address: null } } as const;
    const codeHash = hashOf('code');
    await done(house.bus.ask(ResetPassword, { ...reset, email: email('grace@example.com'), codeHash }));
    expect(await identitiesOf(house, person.id)).toEqual([]);
    expect(await refused(ask(house, 'grace@example.com', 'new subject'))).toBe('PASSWORD_FIRST');
    const chosen = { codeHash, next: password(), session: browser(), address: null };
    await done(house.bus.ask(ChoosePassword, { ...chosen, newDeviceHash: hashOf('laptop') }));
    const from = { deviceHash: hashOf('laptop') };
    expect((await done(ask(house, 'grace@example.com', 'new subject', from))).person.id).toBe(person.id);
  });
});
