import { randomUUID } from 'node:crypto';
import {
  AcceptInvitation,
  type Actor,
  AppChanged,
  AppSettings,
  ChangePassword,
  CreateApp,
  CreateTeam,
  CreateToken,
  EndSessions,
  FindToken,
  Invite,
  ListOwnerTokens,
  ListTokens,
  MakeOwnerToken,
  MakeToken,
  PersonChanged,
  RemoveMember,
  RevokeOwnerToken,
  RevokeToken,
  SetRole,
  TeamChanged,
  TokenRevoked,
  TokenUsed,
  TransferApp,
  UpdateApp,
} from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { beforeEach, expect, it } from 'vitest';
import { as, browser, done, email, hashOf, join, password, refused, service, setUp } from './people.testing.ts';

/** The ids of people, teams and apps and the hashes of tokens in change events. */
const told = new Set<string>();

handlerSuite(
  'tokens',
  {
    service(parts) {
      service(parts);
      const onGap = () => {};
      parts.bus.watch(PersonChanged, ({ userId }) => told.add(userId), { onGap });
      parts.bus.watch(TeamChanged, ({ teamId }) => told.add(teamId), { onGap });
      parts.bus.watch(TokenRevoked, ({ hash }) => told.add(hash), { onGap });
      parts.bus.watch(AppChanged, ({ appId }) => told.add(appId), { onGap });
    },
    lastSeen: ['account.tokens.last_used_at'],
  },
  (house) => {
    beforeEach(() => told.clear());

    const make = (userId: string, teamId: string, secret: string, more: object = {}) =>
      house.bus.ask(MakeToken, {
        actor: as(userId),
        userId,
        teamId,
        scope: 'write',
        label: secret,
        hint: 'lf_1234…',
        hash: hashOf(secret),
        expiresAt: null,
        ...more,
      });
    const find = (secret: string) => house.bus.ask(FindToken, { hash: hashOf(secret) });

    it('is its person in one team, with the role that they have now', async () => {
      const { userId, teamId } = await setUp(house);
      const bob = await join(house, as(userId), teamId, 'bob@example.com', 'member');
      const { token } = await done(make(bob, teamId, 'one', { scope: 'read' }));
      const role = (is: string) => ({
        tokenId: token.id,
        person: { userId: bob, teamId, role: is, scope: 'read' },
        expiresAt: null,
      });
      expect(await done(find('one'))).toEqual(role('member'));
      await done(house.bus.ask(SetRole, { actor: as(userId), teamId, userId: bob, role: 'admin' }));
      expect(await done(find('one'))).toEqual(role('admin'));
      expect(await refused(find('other'))).toBe('TOKEN_UNKNOWN');
    });

    it('is made by its person in their own team only', async () => {
      const { userId, teamId } = await setUp(house);
      const { team } = await done(house.bus.ask(CreateTeam, { actor: as(userId), name: 'Second' }));
      const bob = await join(house, as(userId), teamId, 'bob@example.com', 'admin');
      expect(await refused(make(bob, team.id, 'one'))).toBe('TEAM_NOT_FOUND');
      expect(await refused(make(bob, teamId, 'one', { actor: as(userId) }))).toBe('FORBIDDEN');
      const { token } = await done(make(bob, teamId, 'first'));
      const actor: Actor = { kind: 'token', userId: bob, tokenId: token.id, address: null };
      expect(await refused(make(bob, teamId, 'second', { actor }))).toBe('FORBIDDEN');
    });

    it('ends when it expires, when it is revoked, and when its person leaves the team, for good', async () => {
      const { userId, teamId } = await setUp(house);
      const bob = await join(house, as(userId), teamId, 'bob@example.com', 'member');
      const expiresAt = new Date(house.clock() + 3_600_000).toISOString();
      await done(make(bob, teamId, 'expires', { expiresAt }));
      await done(make(bob, teamId, 'stays'));
      expect(await done(find('expires'))).toMatchObject({ expiresAt });
      house.clock.advance({ hours: 1 });
      expect(await refused(find('expires'))).toBe('TOKEN_UNKNOWN');
      await done(house.bus.ask(RemoveMember, { actor: as(bob), teamId, userId: bob }));
      expect(await refused(find('stays'))).toBe('TOKEN_UNKNOWN');
      const codeHash = hashOf('back');
      const back = { actor: as(userId), teamId, email: email('bob@example.com'), role: 'member', codeHash } as const;
      await done(house.bus.ask(Invite, back));
      await done(house.bus.ask(AcceptInvitation, { actor: as(bob), userId: bob, codeHash }));
      expect(await refused(find('stays'))).toBe('TOKEN_UNKNOWN');
    });

    it('is revoked by its person, or by an admin of the team', async () => {
      const { userId, teamId } = await setUp(house);
      const bob = await join(house, as(userId), teamId, 'bob@example.com', 'member');
      const carol = await join(house, as(userId), teamId, 'carol@example.com', 'member');
      const { token } = await done(make(bob, teamId, 'one'));
      const { token: other } = await done(make(bob, teamId, 'two'));
      const revoke = (actor: Actor, tokenId = token.id, of: object = { userId: null, teamId }) =>
        house.bus.ask(RevokeToken, { actor, tokenId, userId: null, teamId: null, ...of });
      expect(await refused(revoke(as(carol)))).toBe('FORBIDDEN');
      expect(await refused(revoke(as(randomUUID())))).toBe('TOKEN_NOT_FOUND');
      expect(await refused(revoke(as(userId), token.id, { userId }))).toBe('TOKEN_NOT_FOUND');
      expect(await refused(revoke(as(userId), randomUUID()))).toBe('TOKEN_NOT_FOUND');
      const actor: Actor = { kind: 'token', userId: bob, tokenId: other.id, address: null };
      expect(await refused(revoke(actor))).toBe('FORBIDDEN');
      const { token: revoked } = await done(revoke(as(bob), token.id, { userId: bob }));
      expect(revoked.revokedAt).not.toBeNull();
      expect(await refused(find('one'))).toBe('TOKEN_UNKNOWN');
      await done(revoke(as(userId), other.id));
      expect(await refused(find('two'))).toBe('TOKEN_UNKNOWN');
    });

    it('is listed for its person and for its team, with its last use', async () => {
      const { userId, teamId } = await setUp(house);
      const bob = await join(house, as(userId), teamId, 'bob@example.com', 'member');
      const { token } = await done(make(bob, teamId, 'one'));
      const { token: second } = await done(make(userId, teamId, 'two'));
      await house.bus.tell(TokenUsed, { tokenId: token.id }, { now: new Date('2026-11-16T00:00:00Z') });
      await house.bus.tell(TokenUsed, { tokenId: token.id }, { now: new Date('2026-11-15T23:00:00Z') });
      const list = async (of: { userId?: string; teamId?: string }) =>
        (await done(house.bus.ask(ListTokens, { userId: null, teamId: null, ...of }))).tokens;
      const used = { ...token, lastUsedAt: '2026-11-16T00:00:00.000Z' };
      expect(await list({ userId: bob })).toEqual([used]);
      expect(await list({ teamId })).toEqual([second, used]);
      expect(await list({})).toEqual([]);
    });

    it('acts with the role of its scope, as long as it is live', async () => {
      const { userId, teamId } = await setUp(house);
      const appOf = (tokenId: string) =>
        house.bus.ask(CreateApp, {
          actor: { kind: 'token', userId, tokenId, address: null },
          teamId,
          name: 'Shop',
          subdomain: `s${randomUUID().slice(0, 8)}`,
          settings: AppSettings.parse({}),
        });
      const { token: reads } = await done(make(userId, teamId, 'reads', { scope: 'read' }));
      const { token: writes } = await done(make(userId, teamId, 'writes'));
      expect(await refused(appOf(reads.id))).toBe('FORBIDDEN');
      await done(appOf(writes.id));
      await done(house.bus.ask(RevokeToken, { actor: as(userId), tokenId: writes.id, userId, teamId: null }));
      expect(await refused(appOf(writes.id))).toBe('TEAM_NOT_FOUND');
    });

    it('tells of every change of what somebody may do', async () => {
      const { userId, teamId } = await setUp(house);
      expect([...told]).toEqual([userId]);
      const bob = await join(house, as(userId), teamId, 'bob@example.com', 'member');
      const { token } = await done(make(bob, teamId, 'one'));
      const actor = as(userId);
      const codeHash = hashOf('back');
      const offer = { actor, teamId, email: email('bob@example.com'), role: 'member', codeHash } as const;
      const current = password();
      const next = password('another horse battery');
      const deeds = [
        () => house.bus.ask(SetRole, { actor, teamId, userId: bob, role: 'viewer' }),
        () => house.bus.ask(RevokeToken, { actor, tokenId: token.id, userId: null, teamId }),
        () => house.bus.ask(EndSessions, { actor: as(bob), userId: bob, sessionId: null, except: null }),
        () => house.bus.ask(ChangePassword, { actor: as(bob), userId: bob, current, next, session: browser() }),
        () => house.bus.ask(RemoveMember, { actor, teamId, userId: bob }),
        async () => {
          await house.bus.ask(Invite, offer);
          return house.bus.ask(AcceptInvitation, { actor: as(bob), userId: bob, codeHash });
        },
      ];
      for (const deed of deeds) {
        told.clear();
        await done(deed() as never);
        expect([...told]).toEqual([bob]);
      }
    });

    it('of the operator are made by whoever holds one, and revoked for good', async () => {
      const { userId, teamId } = await setUp(house);
      await done(house.bus.ask(CreateToken, { hash: hashOf('lf_first'), label: 'OWNER_TOKEN' }));
      const made = { label: 'CI', hint: 'lf_1234…', hash: hashOf('lf_second'), expiresAt: null };
      expect(await refused(house.bus.ask(MakeOwnerToken, { actor: as(userId), ...made }))).toBe('FORBIDDEN');
      const { token } = await done(house.bus.ask(MakeOwnerToken, made));
      const mine = { userId, teamId, scope: 'write', label: '', hint: '', expiresAt: null } as const;
      const own = await done(house.bus.ask(MakeToken, { actor: as(userId), ...mine, hash: hashOf('lf_ada') }));
      const list = async () => (await done(house.bus.ask(ListOwnerTokens, {}))).tokens;
      expect(await list()).toMatchObject([{ id: token.id, label: 'CI', hint: 'lf_1234…' }, { label: 'OWNER_TOKEN' }]);
      expect(await done(house.bus.ask(FindToken, { hash: hashOf('lf_second') }))).toMatchObject({ person: null });
      const revoke = (tokenId: string, by = {}) => house.bus.ask(RevokeOwnerToken, { tokenId, ...by });
      expect(await refused(revoke(token.id, { actor: as(userId) }))).toBe('FORBIDDEN');
      expect(await refused(revoke(own.token.id))).toBe('TOKEN_NOT_FOUND');
      told.clear();
      expect((await done(revoke(token.id))).token.revokedAt).not.toBeNull();
      await house.bus.idle();
      expect([...told]).toEqual([hashOf('lf_second')]);
      expect(await list()).toMatchObject([{ label: 'OWNER_TOKEN' }]);
      expect(await refused(house.bus.ask(FindToken, { hash: hashOf('lf_second') }))).toBe('TOKEN_UNKNOWN');
      // A start that creates its token again does not restore a revoked token.
      await done(house.bus.ask(CreateToken, { hash: hashOf('lf_second'), label: 'OWNER_TOKEN' }));
      expect(await refused(house.bus.ask(FindToken, { hash: hashOf('lf_second') }))).toBe('TOKEN_UNKNOWN');
    });

    it('tells of an app that another team has', async () => {
      const app = await appOf(house);
      const { userId, teamId } = await setUp(house);
      expect([...told].toSorted()).toEqual([userId, app].toSorted());
      const { team } = await done(house.bus.ask(CreateTeam, { actor: as(userId), name: 'Second' }));
      for (const deed of [
        () => house.bus.ask(TransferApp, { actor: as(userId), appId: app, teamId: team.id }),
        () => house.bus.ask(UpdateApp, { actor: as(userId), appId: app, name: 'Store', settings: {} }),
      ]) {
        told.clear();
        await done(deed() as never);
        expect([...told]).toEqual([app]);
      }
      expect(teamId).not.toBe(team.id);
    });
  },
);

async function appOf(house: House): Promise<string> {
  const wanted = { name: 'Shop', subdomain: 'shop', settings: AppSettings.parse({}) };
  const { app } = await done(house.bus.ask(CreateApp, wanted));
  told.clear();
  return app.id;
}
