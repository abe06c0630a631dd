import { randomBytes, randomUUID } from 'node:crypto';
import { type Actor, AppChanged, FindApp, PersonChanged, type Role, TeamChanged } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { needsList } from '../access/needs.ts';
import { createApp } from '../apps/apps.ts';
import { updateApp } from '../apps/update-app.ts';
import { type ConsoleFixture, consoleSuite, done, refused, toldOf } from '../console.testing.ts';
import { as, hashOf, join, PASSWORD, rules, setUp } from '../people.testing.ts';
import { createToken, listMyTokens } from '../tokens/tokens.ts';
import {
  acceptInvitation,
  invite,
  join as joinByInvitation,
  lookAtInvitation,
  revokeInvitation,
} from './invitations.ts';
import { createTeam, deleteTeam, getTeam, listMembers, listTeams, removeMember, setRole, updateTeam } from './teams.ts';

const audit = (fixture: ConsoleFixture, teamId: string | null, of: { appId?: string } = {}) =>
  fixture.parts.account.audit.list({ teamId, appId: null, userId: null, ...of }, 100, null);

const makeApp = (fixture: ConsoleFixture, subdomain: string, given: { actor?: Actor; teamId?: string } = {}) =>
  fixture.ask(createApp, { name: 'Shop', subdomain, ...given });

const codesOf = (answers: { ok: boolean; refusal?: { code: string } }[]) =>
  answers.map(({ ok, refusal }) => (ok ? 'joined' : refusal!.code)).toSorted();

const teams = (fixture: ConsoleFixture) => {
  const makeTeam = async (by: string, name = 'Second') =>
    (await done(fixture.ask(createTeam, { actor: as(by), name }))).team;
  const give = (by: string, teamId: string, userId: string, role: Role) =>
    fixture.ask(setRole, { actor: as(by), teamId, userId, role });
  const remove = (by: string, teamId: string, userId: string) =>
    fixture.ask(removeMember, { actor: as(by), teamId, userId });
  const offer = (by: string, teamId: string, email: string, role: Role) =>
    fixture.ask(invite, { actor: as(by), teamId, email, role });
  const look = (code: string | null) => fixture.ask(lookAtInvitation, { code });
  const accept = (by: string, code: string | null) => fixture.ask(acceptInvitation, { actor: as(by), code });
  const enter = (code: string | null, name = 'Bob', password = PASSWORD) =>
    fixture.ask(joinByInvitation, { code, name, password });
  const membersOf = (teamId: string) => done(fixture.ask(listMembers, { teamId }));
  const roles = async (teamId: string) =>
    Object.fromEntries((await membersOf(teamId)).members.map(({ userId, role }) => [userId, role]));

  it('is made and renamed by its owner, one edit after the other', async () => {
    const { userId } = await setUp(fixture);
    const team = await makeTeam(userId);
    const rename = (name: string, ifMatch?: string, by = userId) =>
      fixture.ask(updateTeam, { actor: as(by), teamId: team.id, name, headers: { 'if-match': ifMatch } });
    expect((await done(rename('Other', '"7", "1"'))).team).toEqual({ ...team, name: 'Other', version: 2 });
    expect(await refused(rename('Late', '"1"'))).toBe('VERSION_MISMATCH');
    expect((await done(rename('Last'))).team.version).toBe(3);
    const admin = await join(fixture, as(userId), team.id, 'bob@example.com', 'admin');
    expect(await refused(rename('Mine', undefined, admin))).toBe('FORBIDDEN');
    expect(await refused(rename('Mine', undefined, randomUUID()))).toBe('TEAM_NOT_FOUND');
    const found = (teamId: string) => fixture.ask(getTeam, { teamId });
    expect((await done(found(team.id))).team.name).toBe('Last');
    expect(await refused(found(randomUUID()))).toBe('TEAM_NOT_FOUND');
    expect(toldOf(fixture, TeamChanged)).toEqual([{ teamId: team.id }, { teamId: team.id }]);
  });

  it('is deleted by an owner when it has no live app; archived ones are left to the operator and instance owners', async () => {
    const { userId } = await setUp(fixture);
    const { id: teamId } = await makeTeam(userId);
    const admin = await join(fixture, as(userId), teamId, 'bob@example.com', 'admin');
    const { code } = await done(offer(userId, teamId, 'carol@example.com', 'viewer'));
    const actor = as(admin);
    const { plaintext } = await done(fixture.ask(createToken, { actor, teamId, scope: 'write' }));
    const { app } = await done(makeApp(fixture, 'shop', { actor, teamId }));
    const del = (by: string, ifMatch?: string) =>
      fixture.ask(deleteTeam, { actor: as(by), teamId, headers: { 'if-match': ifMatch } });
    const archive = (archived: boolean, by: Actor) => fixture.ask(updateApp, { actor: by, appId: app.id, archived });
    const { lookups } = fixture.parts;

    expect(await refused(del(admin))).toBe('FORBIDDEN');
    expect(await refused(del(randomUUID()))).toBe('TEAM_NOT_FOUND');
    expect(await refused(del(userId))).toBe('TEAM_HAS_APPS');
    await done(archive(true, actor));
    expect(await refused(del(userId, '"7"'))).toBe('VERSION_MISMATCH');
    // The caches know both before, and forget them at once.
    expect(await lookups.team(teamId)).toMatchObject({ name: 'Second' });
    expect(await lookups.token(hashOf(plaintext))).toMatchObject({ caller: { userId: admin } });
    fixture.told.length = 0;
    await done(del(userId, '"1"'));

    expect(await lookups.team(teamId)).toBeNull();
    expect(await lookups.token(hashOf(plaintext))).toBeNull();
    expect(toldOf(fixture, TeamChanged)).toEqual([{ teamId }]);
    expect(toldOf(fixture, PersonChanged)).toEqual([{ userId }, { userId: admin }]);
    expect(toldOf(fixture, AppChanged)).toMatchObject([{ appId: app.id, version: 3 }]);
    expect(await refused(del(userId))).toBe('TEAM_NOT_FOUND');
    expect(await done(fixture.ask(listMyTokens, { actor }))).toEqual({ tokens: [] });
    expect(await refused(look(code))).toBe('INVITATION_NOT_FOUND');
    expect(await fixture.parts.account.teams.ofPerson(admin)).toEqual([]);
    // A former member of the team no longer has rights on the app.
    expect(await refused(archive(false, actor))).toBe('APP_NOT_FOUND');
    const found = await done(fixture.bus.ask(FindApp, { appId: app.id }));
    expect(found.app).toMatchObject({ teamId: null, archivedAt: expect.any(String), version: 3 });
    expect((await done(archive(false, as(userId)))).app).toMatchObject({ archivedAt: null });

    expect(await audit(fixture, teamId)).toMatchObject([
      { action: 'DeleteTeam', subject: teamId, before: { name: 'Second' }, after: null },
      { action: 'UpdateApp' },
      { action: 'CreateApp' },
      { action: 'MakeToken' },
      { action: 'Invite' },
      { action: 'JoinByInvitation' },
      { action: 'Invite' },
      { action: 'CreateTeam' },
    ]);
    expect(await audit(fixture, null, { appId: app.id })).toMatchObject([
      { action: 'UpdateApp' },
      { action: 'DeleteTeam', subject: app.id, before: { teamId }, after: { teamId: null } },
    ]);
  });

  it('is listed for its members, page by page', async () => {
    const { userId, teamId } = await setUp(fixture);
    const others = [(await makeTeam(userId, 'b')).id, (await makeTeam(userId, 'c')).id];
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'viewer');
    const list = (actor: Actor | undefined, of: object = {}) => done(fixture.ask(listTeams, { actor, ...of }));
    expect((await list(as(bob))).teams).toMatchObject([{ id: teamId, role: 'viewer' }]);
    expect((await list(undefined)).teams).toMatchObject([{ role: null }, { role: null }, { role: null }]);
    const first = await list(as(userId), { limit: '2' });
    expect(first.teams.map(({ id, role }) => [id, role])).toEqual(others.toReversed().map((id) => [id, 'owner']));
    const rest = await list(as(userId), { limit: '2', cursor: first.next });
    expect(rest).toMatchObject({ teams: [{ id: teamId }], next: null });
  });

  it('takes in who is invited: one who is there signs in, one who is not joins', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'Bob@example.com', 'member');
    const second = await makeTeam(userId);
    const { invitation, code } = await done(offer(userId, second.id, ' bob@EXAMPLE.com', 'admin'));
    expect(invitation).toMatchObject({ email: 'bob@example.com', role: 'admin', invitedBy: userId });
    const { expiresAt } = invitation;
    expect(await done(look(code))).toEqual({ teamName: 'Second', email: 'bob@example.com', role: 'admin', expiresAt });
    expect(await refused(look(randomBytes(32).toString('base64url')))).toBe('INVITATION_NOT_FOUND');

    expect(await refused(enter(code))).toBe('PERSON_EXISTS');
    const carol = await join(fixture, as(userId), teamId, 'carol@example.com', 'member');
    expect(await refused(accept(carol, code))).toBe('INVITED_OTHER');
    expect(await done(accept(bob, code))).toMatchObject({ team: { id: second.id }, role: 'admin' });
    expect(await refused(accept(bob, code))).toBe('INVITATION_NOT_FOUND');
    expect(await refused(offer(userId, second.id, 'bob@example.com', 'viewer'))).toBe('ALREADY_MEMBER');
    expect(await roles(second.id)).toEqual({ [userId]: 'owner', [bob]: 'admin' });
  });

  it('takes nobody in by an invitation that is over', async () => {
    const { userId, teamId } = await setUp(fixture);
    const withdrawn = await done(offer(userId, teamId, 'bob@example.com', 'member'));
    const invitationId = withdrawn.invitation.id;
    const takeBack = () => fixture.ask(revokeInvitation, { actor: as(userId), teamId, invitationId });
    await done(takeBack());
    expect(await refused(takeBack())).toBe('INVITATION_NOT_FOUND');
    const replaced = await done(offer(userId, teamId, 'bob@example.com', 'member'));
    const expired = await done(offer(userId, teamId, 'bob@example.com', 'viewer'));
    for (const { code } of [withdrawn, replaced]) expect(await refused(enter(code))).toBe('INVITATION_NOT_FOUND');
    expect((await membersOf(teamId)).invitations).toMatchObject([{ role: 'viewer' }]);
    fixture.clock.advance({ days: 7 });
    expect(await refused(enter(expired.code))).toBe('INVITATION_NOT_FOUND');
    expect((await membersOf(teamId)).invitations).toEqual([]);
    const { code } = await done(offer(userId, teamId, 'bob@example.com', 'member'));
    expect(await refused(enter(code, 'Bob', 'password123'))).toBe('PASSWORD_COMMON');
    await done(enter(code));
    expect(await refused(enter(code, 'Eve'))).toBe('INVITATION_NOT_FOUND');
  });

  it('takes in one of those who come with one code at once, and a person once by the codes of two teams', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { code } = await done(offer(userId, teamId, 'bob@example.com', 'member'));
    const same = await Promise.all(['Bob', 'Eve', 'Mallory'].map((name) => enter(code, name)));
    // Those who look at the invitation a moment before it is used find the person that the first one made.
    const late = expect.stringMatching(/^(INVITATION_NOT_FOUND|PERSON_EXISTS)$/);
    expect(codesOf(same)).toEqual([late, late, 'joined']);
    const { id: other } = await makeTeam(userId);
    const offers = await Promise.all(
      [teamId, other].map((id) => done(offer(userId, id, 'carol@example.com', 'viewer'))),
    );
    expect(codesOf(await Promise.all(offers.map(({ code }) => enter(code, 'Carol'))))).toEqual([
      'PERSON_EXISTS',
      'joined',
    ]);
    expect(await fixture.database.rows('select 1 from account.users')).toHaveLength(3);
  });

  it('has roles that nobody gives who has less, and an owner always', async () => {
    const { userId: owner, teamId } = await setUp(fixture);
    const admin = await join(fixture, as(owner), teamId, 'admin@example.com', 'admin');
    const member = await join(fixture, as(owner), teamId, 'member@example.com', 'member');
    for (const [by, code] of [
      [admin, 'FORBIDDEN'],
      [member, 'FORBIDDEN'],
      [randomUUID(), 'TEAM_NOT_FOUND'],
    ] as const) {
      expect(await refused(give(by, teamId, member, 'owner'))).toBe(code);
      expect(await refused(give(by, teamId, owner, 'viewer'))).toBe(code);
      expect(await refused(remove(by, teamId, owner))).toBe(code);
      expect(await refused(offer(by, teamId, 'eve@example.com', 'owner'))).toBe(code);
    }
    expect(await refused(give(member, teamId, member, 'admin'))).toBe('FORBIDDEN');
    expect(await refused(give(owner, teamId, owner, 'admin'))).toBe('LAST_OWNER');
    expect(await refused(remove(owner, teamId, owner))).toBe('LAST_OWNER');
    expect(await refused(give(owner, teamId, randomUUID(), 'admin'))).toBe('MEMBER_NOT_FOUND');
    expect(await refused(give(owner, randomUUID(), member, 'admin'))).toBe('TEAM_NOT_FOUND');
    expect((await done(give(admin, teamId, member, 'admin'))).member).toMatchObject({ userId: member, role: 'admin' });
    await done(give(owner, teamId, member, 'owner'));
    await done(remove(owner, teamId, owner));
    expect(await roles(teamId)).toEqual({ [member]: 'owner', [admin]: 'admin' });
    expect(await fixture.parts.account.teams.ofPerson(owner)).toEqual([]);
  });

  it('keeps an owner when two owners leave at once', async () => {
    const { userId: owner, teamId } = await setUp(fixture);
    const second = await join(fixture, as(owner), teamId, 'bob@example.com', 'owner');
    const left = await Promise.all([owner, second].map((userId) => remove(userId, teamId, userId)));
    expect(left.filter(({ ok }) => ok)).toHaveLength(1);
    expect(Object.values(await roles(teamId))).toEqual(['owner']);
  });

  it('takes back what somebody offered who could offer it no more', async () => {
    const { userId: owner, teamId } = await setUp(fixture);
    const admin = await join(fixture, as(owner), teamId, 'admin@example.com', 'admin');
    await done(offer(admin, teamId, 'eve@example.com', 'admin'));
    await done(offer(owner, teamId, 'bob@example.com', 'viewer'));
    await done(give(owner, teamId, admin, 'member'));
    expect((await membersOf(teamId)).invitations.map(({ email }) => email)).toEqual(['bob@example.com']);
  });

  it('gives no right to a token over people', async () => {
    const { userId, teamId } = await setUp(fixture);
    const actor: Actor = { kind: 'token', userId, tokenId: randomUUID(), address: null };
    const answers = [
      fixture.ask(invite, { actor, teamId, email: 'eve@example.com', role: 'viewer' }),
      fixture.ask(setRole, { actor, teamId, userId, role: 'viewer' }),
      fixture.ask(removeMember, { actor, teamId, userId }),
      fixture.ask(updateTeam, { actor, teamId, name: 'x' }),
      fixture.ask(deleteTeam, { actor, teamId }),
    ];
    for (const answer of answers) expect(await refused(answer)).toBe('FORBIDDEN');
    expect(needsList(createTeam.needs)).toEqual(['person']);
  });
};

consoleSuite('teams', teams, rules);
