import { randomUUID } from 'node:crypto';
import {
  AcceptInvitation,
  type Actor,
  AppSettings,
  CreateApp,
  CreateKey,
  CreateTeam,
  DeleteTeam,
  FindApp,
  FindInvitation,
  FindPerson,
  FindTeam,
  FindToken,
  Invite,
  JoinByInvitation,
  ListApps,
  ListAudit,
  ListMembers,
  ListTeams,
  ListTokens,
  MakeToken,
  NoteAction,
  RemoveMember,
  RenameTeam,
  RevokeInvitation,
  RevokeKey,
  type Role,
  SetPlan,
  SetRole,
  TransferApp,
  UpdateApp,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { as, browser, done, email, hashOf, join, opened, password, refused, service, setUp } from './people.testing.ts';

const audit = async (house: House, teamId: string | null, of: { appId?: string; userId?: string } = {}) =>
  (await done(house.bus.ask(ListAudit, { teamId, appId: null, userId: null, limit: 100, cursor: null, ...of })))
    .entries;

const makeApp = (house: House, subdomain: string, given: { actor?: Actor; teamId?: string } = {}) =>
  house.bus.ask(CreateApp, { name: 'Shop', subdomain, settings: AppSettings.parse({}), ...given });

handlerSuite('teams', { service }, (house) => {
  const setRole = (by: string, teamId: string, userId: string, role: Role) =>
    house.bus.ask(SetRole, { actor: as(by), teamId, userId, role });
  const remove = (by: string, teamId: string, userId: string) =>
    house.bus.ask(RemoveMember, { actor: as(by), teamId, userId });
  const offer = (by: string, teamId: string, who: string, role: Role, code: string = randomUUID()) =>
    house.bus.ask(Invite, { actor: as(by), teamId, email: email(who), role, codeHash: hashOf(code) });
  const roles = async (teamId: string) =>
    Object.fromEntries(
      (await done(house.bus.ask(ListMembers, { teamId }))).members.map(({ userId, role }) => [userId, role]),
    );

  it('is made and renamed by its owner, one edit after the other', async () => {
    const { userId } = await setUp(house);
    const actor = as(userId);
    const { team } = await done(house.bus.ask(CreateTeam, { actor, name: 'Second' }));
    expect(await refused(house.bus.ask(CreateTeam, { name: 'of nobody' }))).toBe('FORBIDDEN');
    const rename = (name: string, ifVersion: number | null, by = userId) =>
      house.bus.ask(RenameTeam, { actor: as(by), teamId: team.id, name, ifVersion });
    expect((await done(rename('Other', 1))).team).toEqual({ ...team, name: 'Other', version: 2 });
    expect(await rename('Late', 1)).toMatchObject({ refusal: { code: 'VERSION_MISMATCH', facts: { version: 2 } } });
    expect((await done(rename('Last', null))).team.version).toBe(3);
    const admin = await join(house, actor, team.id, 'bob@example.com', 'admin');
    expect(await refused(rename('Mine', null, admin))).toBe('FORBIDDEN');
    expect(await refused(rename('Mine', null, randomUUID()))).toBe('TEAM_NOT_FOUND');
    expect((await done(house.bus.ask(FindTeam, { teamId: team.id }))).team.name).toBe('Last');
    expect(await refused(house.bus.ask(FindTeam, { teamId: randomUUID() }))).toBe('TEAM_NOT_FOUND');
  });

  it('is deleted by an owner when it has no live app; archived ones are left to the operator and instance owners', async () => {
    const { userId } = await setUp(house);
    const { team } = await done(house.bus.ask(CreateTeam, { actor: as(userId), name: 'Second' }));
    const { id: teamId } = team;
    const admin = await join(house, as(userId), teamId, 'bob@example.com', 'admin');
    await done(offer(userId, teamId, 'carol@example.com', 'viewer', 'open'));
    const actor = as(admin);
    const token = { userId: admin, teamId, scope: 'write', label: '', hint: '', expiresAt: null } as const;
    await done(house.bus.ask(MakeToken, { actor, ...token, hash: hashOf('lf_bob') }));
    const { app } = await done(makeApp(house, 'shop', { actor, teamId }));
    const del = (by: string, ifVersion: number | null = null) =>
      house.bus.ask(DeleteTeam, { actor: as(by), teamId, ifVersion });
    const archive = (archived: boolean, by: Actor) =>
      house.bus.ask(UpdateApp, { actor: by, appId: app.id, archived, settings: {} });

    expect(await refused(del(admin))).toBe('FORBIDDEN');
    expect(await refused(del(randomUUID()))).toBe('TEAM_NOT_FOUND');
    expect(await refused(del(userId))).toBe('TEAM_HAS_APPS');
    await done(archive(true, actor));
    expect(await refused(del(userId, 7))).toBe('VERSION_MISMATCH');
    await done(del(userId, 1));

    expect(await refused(house.bus.ask(FindTeam, { teamId }))).toBe('TEAM_NOT_FOUND');
    expect(await refused(del(userId))).toBe('TEAM_NOT_FOUND');
    expect(await refused(house.bus.ask(FindToken, { hash: hashOf('lf_bob') }))).toBe('TOKEN_UNKNOWN');
    expect(await done(house.bus.ask(ListTokens, { userId: admin, teamId: null }))).toEqual({ tokens: [] });
    expect(await refused(house.bus.ask(FindInvitation, { codeHash: hashOf('open') }))).toBe('INVITATION_NOT_FOUND');
    expect((await done(house.bus.ask(FindPerson, { userId: admin }))).teams).toEqual([]);
    // A former member of the team no longer has rights on the app.
    expect(await refused(archive(false, actor))).toBe('APP_NOT_FOUND');
    const found = await done(house.bus.ask(FindApp, { appId: app.id }));
    expect(found.app).toMatchObject({ teamId: null, archivedAt: expect.any(String), version: 3 });
    expect((await done(archive(false, as(userId)))).app).toMatchObject({ archivedAt: null });

    expect(await audit(house, teamId)).toMatchObject([
      { action: 'DeleteTeam', subject: teamId, before: { name: 'Second' }, after: null },
      { action: 'UpdateApp' },
      { action: 'CreateApp' },
      { action: 'MakeToken' },
      { action: 'Invite' },
      { action: 'JoinByInvitation' },
      { action: 'Invite' },
      { action: 'CreateTeam' },
    ]);
    const ofNone = await audit(house, null, { appId: app.id });
    expect(ofNone).toMatchObject([
      { action: 'UpdateApp' },
      { action: 'DeleteTeam', subject: app.id, before: { teamId }, after: { teamId: null } },
    ]);
  });

  it('is listed for its members, page by page', async () => {
    const { userId, teamId } = await setUp(house);
    const others: string[] = [];
    for (const name of ['b', 'c'])
      others.push((await done(house.bus.ask(CreateTeam, { actor: as(userId), name }))).team.id);
    const bob = await join(house, as(userId), teamId, 'bob@example.com', 'viewer');
    const list = (of: string | null, limit = 10, cursor: string | null = null) =>
      done(house.bus.ask(ListTeams, { userId: of, limit, cursor }));
    expect((await list(bob)).teams).toMatchObject([{ id: teamId, role: 'viewer' }]);
    expect((await list(null)).teams).toMatchObject([{ role: null }, { role: null }, { role: null }]);
    const first = await list(userId, 2);
    expect(first.teams.map(({ id, role }) => [id, role])).toEqual(others.toReversed().map((id) => [id, 'owner']));
    expect(await list(userId, 2, first.next)).toMatchObject({ teams: [{ id: teamId }], next: null });
  });

  it('takes in who is invited: one who is there signs in, one who is not joins', async () => {
    const { userId, teamId } = await setUp(house);
    const bob = await join(house, as(userId), teamId, 'Bob@example.com', 'member');
    const { team: second } = await done(house.bus.ask(CreateTeam, { actor: as(userId), name: 'Second' }));
    const { invitation } = await done(offer(userId, second.id, 'bob@EXAMPLE.com', 'admin', 'code'));
    expect(opened(invitation.email)).toBe('bob@example.com');
    const looked = await done(house.bus.ask(FindInvitation, { codeHash: hashOf('code') }));
    expect(looked).toMatchObject({ invitation: { id: invitation.id, role: 'admin' }, teamName: 'Second' });
    expect(await refused(house.bus.ask(FindInvitation, { codeHash: hashOf('guess') }))).toBe('INVITATION_NOT_FOUND');

    const joining = { codeHash: hashOf('code'), name: 'Bob', password: password(), session: browser(), address: null };
    expect(await refused(house.bus.ask(JoinByInvitation, joining))).toBe('PERSON_EXISTS');
    const accept = (by: string, code = 'code') =>
      house.bus.ask(AcceptInvitation, { actor: as(by), userId: by, codeHash: hashOf(code) });
    const carol = await join(house, as(userId), teamId, 'carol@example.com', 'member');
    expect(await refused(accept(carol))).toBe('INVITED_OTHER');
    expect(await done(accept(bob))).toMatchObject({ team: { id: second.id }, role: 'admin' });
    expect(await refused(accept(bob))).toBe('INVITATION_NOT_FOUND');
    expect(await refused(offer(userId, second.id, 'bob@example.com', 'viewer'))).toBe('ALREADY_MEMBER');
    expect(await roles(second.id)).toEqual({ [userId]: 'owner', [bob]: 'admin' });
  });

  it('takes nobody in by an invitation that is over', async () => {
    const { userId, teamId } = await setUp(house);
    const enter = (code: string, who = 'Bob') =>
      house.bus.ask(JoinByInvitation, {
        codeHash: hashOf(code),
        name: who,
        password: password(),
        session: browser(),
        address: null,
      });
    const { invitation } = await done(offer(userId, teamId, 'bob@example.com', 'member', 'taken back'));
    const takeBack = () => house.bus.ask(RevokeInvitation, { actor: as(userId), teamId, invitationId: invitation.id });
    await done(takeBack());
    expect(await refused(takeBack())).toBe('INVITATION_NOT_FOUND');
    await done(offer(userId, teamId, 'bob@example.com', 'member', 'replaced'));
    await done(offer(userId, teamId, 'bob@example.com', 'viewer', 'expired'));
    for (const code of ['taken back', 'replaced']) expect(await refused(enter(code))).toBe('INVITATION_NOT_FOUND');
    expect((await done(house.bus.ask(ListMembers, { teamId }))).invitations).toMatchObject([{ role: 'viewer' }]);
    house.clock.advance({ days: 7 });
    expect(await refused(enter('expired'))).toBe('INVITATION_NOT_FOUND');
    expect((await done(house.bus.ask(ListMembers, { teamId }))).invitations).toEqual([]);
    await done(offer(userId, teamId, 'bob@example.com', 'member', 'good'));
    await done(enter('good'));
    expect(await refused(enter('good', 'Eve'))).toBe('INVITATION_NOT_FOUND');
  });

  it('has roles that nobody gives who has less, and an owner always', async () => {
    const { userId: owner, teamId } = await setUp(house);
    const admin = await join(house, as(owner), teamId, 'admin@example.com', 'admin');
    const member = await join(house, as(owner), teamId, 'member@example.com', 'member');
    for (const [by, code] of [
      [admin, 'FORBIDDEN'],
      [member, 'FORBIDDEN'],
      [randomUUID(), 'TEAM_NOT_FOUND'],
    ] as const) {
      expect(await refused(setRole(by, teamId, member, 'owner'))).toBe(code);
      expect(await refused(setRole(by, teamId, owner, 'viewer'))).toBe(code);
      expect(await refused(remove(by, teamId, owner))).toBe(code);
      expect(await refused(offer(by, teamId, 'eve@example.com', 'owner'))).toBe(code);
    }
    expect(await refused(setRole(member, teamId, member, 'admin'))).toBe('FORBIDDEN');
    expect(await refused(setRole(owner, teamId, owner, 'admin'))).toBe('LAST_OWNER');
    expect(await refused(remove(owner, teamId, owner))).toBe('LAST_OWNER');
    expect(await refused(setRole(owner, teamId, randomUUID(), 'admin'))).toBe('MEMBER_NOT_FOUND');
    expect(await refused(setRole(owner, randomUUID(), member, 'admin'))).toBe('TEAM_NOT_FOUND');
    expect((await done(setRole(admin, teamId, member, 'admin'))).member).toMatchObject({
      userId: member,
      role: 'admin',
    });
    await done(setRole(owner, teamId, member, 'owner'));
    await done(remove(owner, teamId, owner));
    expect(await roles(teamId)).toEqual({ [member]: 'owner', [admin]: 'admin' });
    expect((await done(house.bus.ask(FindPerson, { userId: owner }))).teams).toEqual([]);
  });

  it('takes back what somebody offered who could offer it no more', async () => {
    const { userId: owner, teamId } = await setUp(house);
    const admin = await join(house, as(owner), teamId, 'admin@example.com', 'admin');
    await done(offer(admin, teamId, 'eve@example.com', 'admin'));
    await done(offer(owner, teamId, 'bob@example.com', 'viewer'));
    await done(setRole(owner, teamId, admin, 'member'));
    const open = async () =>
      (await done(house.bus.ask(ListMembers, { teamId }))).invitations.map(({ email }) => opened(email));
    expect(await open()).toEqual(['bob@example.com']);
  });

  it('gives no right to a token over people', async () => {
    const { userId, teamId } = await setUp(house);
    const actor: Actor = { kind: 'token', userId, tokenId: randomUUID(), address: null };
    const answers = [
      house.bus.ask(Invite, { actor, teamId, email: email('eve@example.com'), role: 'viewer', codeHash: hashOf('x') }),
      house.bus.ask(SetRole, { actor, teamId, userId, role: 'viewer' }),
      house.bus.ask(RemoveMember, { actor, teamId, userId }),
      house.bus.ask(RenameTeam, { actor, teamId, name: 'x', ifVersion: null }),
      house.bus.ask(CreateTeam, { actor, name: 'x' }),
    ];
    for (const answer of answers) expect(await answer).toMatchObject({ ok: false, refusal: { code: 'FORBIDDEN' } });
  });

  it('owns apps: what was there before it becomes its own, and what the operator makes', async () => {
    const before = (await done(makeApp(house, 'before'))).app;
    expect(before.teamId).toBeNull();
    const { userId, teamId } = await setUp(house);
    expect((await done(house.bus.ask(FindApp, { appId: before.id }))).app).toMatchObject({ teamId, version: 2 });
    expect((await done(makeApp(house, 'after'))).app.teamId).toBe(teamId);
    const { team } = await done(house.bus.ask(CreateTeam, { actor: as(userId), name: 'Second' }));
    const { app } = await done(makeApp(house, 'second', { actor: as(userId), teamId: team.id }));
    expect(await refused(makeApp(house, 'none', { teamId: randomUUID() }))).toBe('TEAM_NOT_FOUND');
    const list = async (teamIds: string[] | null) =>
      (await done(house.bus.ask(ListApps, { teamIds, limit: 10, cursor: null }))).apps.map(
        ({ subdomain }) => subdomain,
      );
    expect(await list(null)).toEqual(['second', 'after', 'before']);
    expect(await list([team.id])).toEqual(['second']);
    expect(await list([])).toEqual([]);
    expect(app.teamId).toBe(team.id);
  });

  it('lets its admins, and nobody else, change its apps', async () => {
    const { userId: owner, teamId } = await setUp(house);
    const { app } = await done(makeApp(house, 'shop', { actor: as(owner), teamId }));
    const { key } = await done(
      house.bus.ask(CreateKey, { actor: as(owner), appId: app.id, hash: hashOf('key'), hint: 'ol_', label: 'first' }),
    );
    const admin = await join(house, as(owner), teamId, 'admin@example.com', 'admin');
    const member = await join(house, as(owner), teamId, 'member@example.com', 'member');
    const all = (actor: Actor) => [
      house.bus.ask(UpdateApp, { actor, appId: app.id, name: 'Other', settings: {} }),
      house.bus.ask(CreateKey, { actor, appId: app.id, hash: hashOf(randomUUID()), hint: 'ol_', label: '' }),
      house.bus.ask(RevokeKey, { actor, appId: app.id, keyId: key.id }),
      makeApp(house, `s${randomUUID().slice(0, 8)}`, { actor, teamId }),
    ];
    for (const answer of all(as(member))) expect(await refused(answer as never)).toBe('FORBIDDEN');
    const unknown = ['APP_NOT_FOUND', 'APP_NOT_FOUND', 'KEY_NOT_FOUND', 'TEAM_NOT_FOUND'];
    for (const [i, answer] of all(as(randomUUID())).entries()) expect(await refused(answer as never)).toBe(unknown[i]);
    for (const answer of all(as(admin))) await done(answer as never);

    const plan = { name: 'small', linksPerMonth: 10 };
    expect(await refused(house.bus.ask(SetPlan, { actor: as(admin), appId: app.id, plan }))).toBe('FORBIDDEN');
    // The person who sets up the instance owns it.
    expect((await done(house.bus.ask(SetPlan, { actor: as(owner), appId: app.id, plan }))).app.plan).toEqual(plan);
  });

  it('refuses an edit of an app that was edited since', async () => {
    const { app } = await done(makeApp(house, 'shop'));
    const edit = (name: string) => house.bus.ask(UpdateApp, { appId: app.id, ifVersion: 1, name, settings: {} });
    await done(edit('first'));
    expect(await edit('second')).toMatchObject({ refusal: { code: 'VERSION_MISMATCH', facts: { version: 2 } } });
  });

  it('hands an app over to another team of the same owner, which both teams can read of', async () => {
    const { userId: owner, teamId } = await setUp(house);
    const { app } = await done(makeApp(house, 'shop', { actor: as(owner), teamId }));
    const bob = await join(house, as(owner), teamId, 'bob@example.com', 'admin');
    const { team: other } = await done(house.bus.ask(CreateTeam, { actor: as(bob), name: 'Of Bob' }));
    const transfer = (by: string, to: string) =>
      house.bus.ask(TransferApp, { actor: as(by), appId: app.id, teamId: to });
    expect(await refused(transfer(bob, other.id))).toBe('FORBIDDEN');
    expect(await refused(transfer(owner, other.id))).toBe('TEAM_NOT_FOUND');
    expect(await refused(transfer(randomUUID(), other.id))).toBe('APP_NOT_FOUND');
    await done(setRole(owner, teamId, bob, 'owner'));
    expect(await done(transfer(bob, other.id))).toEqual({ teamId: other.id });
    expect((await done(house.bus.ask(FindApp, { appId: app.id }))).app.teamId).toBe(other.id);
    for (const id of [teamId, other.id])
      expect(await audit(house, id, { appId: app.id })).toContainEqual(
        expect.objectContaining({ action: 'TransferApp', before: { teamId }, after: { teamId: other.id } }),
      );
  });

  it('can read who did what, from where, and what it was before', async () => {
    const { userId: owner, teamId } = await setUp(house);
    const bob = await join(house, as(owner), teamId, 'bob@example.com', 'member');
    await done(setRole(owner, teamId, bob, 'viewer'));
    await refused(setRole(bob, teamId, bob, 'owner'));
    const { app } = await done(makeApp(house, 'shop'));
    await done(house.bus.ask(UpdateApp, { actor: as(owner), appId: app.id, name: 'Store', settings: {} }));
    const entries = await audit(house, teamId);
    const actions = ['UpdateApp', 'CreateApp', 'SetRole', 'JoinByInvitation', 'Invite', 'SetUp'];
    expect(entries.map(({ action }) => action)).toEqual(actions);
    expect(entries[0]).toMatchObject({ appId: app.id, before: { name: 'Shop' }, after: { name: 'Store' } });
    expect(entries[1]).toMatchObject({ actor: { kind: 'operator', userId: null }, actorEmail: null, address: null });
    expect(entries[2]).toMatchObject({
      actor: { kind: 'person', userId: owner, tokenId: null },
      address: hashOf('home'),
      subject: bob,
      before: { role: 'member' },
      after: { role: 'viewer' },
    });
    expect(opened(entries[2]!.actorEmail!)).toBe('ada@example.com');
    // Emails leave the service sealed.
    expect(opened(entries[4]!.after!.email as string)).toBe('bob@example.com');
    expect((await audit(house, teamId, { userId: bob })).map(({ action }) => action)).toEqual(['JoinByInvitation']);
    const page = await done(house.bus.ask(ListAudit, { teamId, appId: null, userId: null, limit: 4, cursor: null }));
    const rest = { teamId, appId: null, userId: null, limit: 4, cursor: page.next };
    expect((await done(house.bus.ask(ListAudit, rest))).entries).toHaveLength(2);
  });

  it('can read of actions that no other command writes, and those of the instance are in no team', async () => {
    const { userId: owner, teamId } = await setUp(house);
    const { app } = await done(makeApp(house, 'shop'));
    const ids = [randomUUID(), randomUUID()] as const;
    const imported = { action: 'ImportLinks', teamId, appId: app.id, after: { links: 3 } } as const;
    const replayed = { action: 'ReplayDeadLetters', teamId: null, appId: null, after: { group: 'push' } } as const;
    await done(house.bus.ask(NoteAction, { actor: as(owner), ...imported }, { id: ids[0] }));
    await done(house.bus.ask(NoteAction, { actor: as(owner), ...replayed }, { id: ids[1] }));
    const actor = { kind: 'person', userId: owner, tokenId: null };
    const of = (entries: Awaited<ReturnType<typeof audit>>, action: string) =>
      entries.filter((entry) => entry.action === action);
    expect(of(await audit(house, teamId), 'ImportLinks')).toMatchObject([
      { id: ids[0], actor, address: hashOf('home'), subject: app.id, before: null, ...imported },
    ]);
    expect(of(await audit(house, null), 'ReplayDeadLetters')).toMatchObject([
      { id: ids[1], subject: ids[1], ...replayed },
    ]);
  });
});
