// Tokens: whose rights they have, until when, and who is told of their end.
import { randomUUID } from 'node:crypto';
import { type Actor, OPERATOR, TokenRevoked, TokenUsed } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { needsList } from '../access/needs.ts';
import { makeKey } from '../access/one-time.ts';
import { type ConsoleFixture, consoleSuite, done, makeApp, refused } from '../console.testing.ts';
import { createKey } from '../keys/keys.ts';
import { changePassword } from '../passwords/password-routes.ts';
import { as, hashOf, join, PASSWORD, rules, setUp } from '../people.testing.ts';
import { endOtherSessions } from '../sessions/session-routes.ts';
import { acceptInvitation, invite } from '../teams/invitations.ts';
import { createTeam, removeMember, setRole } from '../teams/teams.ts';
import { storeOwnerToken } from './token-repository.ts';
import {
  createOwnerToken,
  createToken,
  listMyTokens,
  listOwnerTokens,
  listTeamTokens,
  revokeMyToken,
  revokeOwnerToken,
  revokeTeamToken,
} from './tokens.ts';

const SECOND_TOKEN = `lf_${'0'.repeat(32)}`;

/** The ids of people and the hashes of tokens in change events. */
const toldOf = ({ told }: ConsoleFixture) =>
  new Set(told.map(({ data }) => (data as { userId?: string }).userId ?? (data as { hash?: string }).hash));

const tokens = (fixture: ConsoleFixture) => {
  const make = (userId: string, teamId: string, more: object = {}) =>
    fixture.ask(createToken, { actor: as(userId), teamId, scope: 'write', ...more });
  const find = (plaintext: string) => fixture.parts.lookups.token(hashOf(plaintext));
  const byToken = (userId: string, tokenId: string): Actor => ({ kind: 'token', userId, tokenId, address: null });
  const revokeInTeam = (actor: Actor, teamId: string, tokenId: string) =>
    fixture.ask(revokeTeamToken, { actor, teamId, tokenId });

  it('is its person in one team, with the role that they have now', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const { token, plaintext } = await done(make(bob, teamId, { scope: 'read', label: 'CI' }));
    expect(plaintext).toMatch(/^lf_[0-9a-f]{32}$/);
    expect(token).toMatchObject({ userId: bob, teamId, scope: 'read', label: 'CI', hint: `${plaintext.slice(0, 7)}…` });
    const use = (role: string) => ({
      caller: { kind: 'token', tokenId: token.id, userId: bob, teamId, role, scope: 'read' },
      expiresAt: null,
    });
    expect(await find(plaintext)).toEqual(use('member'));
    await done(fixture.ask(setRole, { actor: as(userId), teamId, userId: bob, role: 'admin' }));
    expect(await find(plaintext)).toEqual(use('admin'));
    expect(await find(SECOND_TOKEN)).toBeNull();
  });

  it('is made by a person in their own team only', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { team } = await done(fixture.ask(createTeam, { actor: as(userId), name: 'Second' }));
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'admin');
    expect(await refused(make(bob, team.id))).toBe('TEAM_NOT_FOUND');
    await done(make(bob, teamId));
    for (const { needs } of [createToken, revokeMyToken]) expect(needsList(needs)).toContain('person');
  });

  it('ends when it is revoked, and when its person leaves the team, for good; its look-up says when it expires', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const { plaintext: expires } = await done(make(bob, teamId, { expiresAt: '2030-01-01T01:00:00+01:00' }));
    expect(await find(expires)).toMatchObject({ expiresAt: '2030-01-01T00:00:00.000Z' });
    const { plaintext: stays } = await done(make(bob, teamId));
    expect(await find(stays)).not.toBeNull();
    await done(fixture.ask(removeMember, { actor: as(bob), teamId, userId: bob }));
    expect(await find(stays)).toBeNull();
    const back = { actor: as(userId), teamId, email: 'bob@example.com', role: 'member' };
    const { code } = await done(fixture.ask(invite, back));
    await done(fixture.ask(acceptInvitation, { actor: as(bob), code }));
    expect(await find(stays)).toBeNull();
  });

  it('is revoked by its person, or by an admin of the team', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const carol = await join(fixture, as(userId), teamId, 'carol@example.com', 'member');
    const { token, plaintext } = await done(make(bob, teamId));
    const { token: other, plaintext: otherPlaintext } = await done(make(bob, teamId));
    const revoke = (actor: Actor, tokenId = token.id) => revokeInTeam(actor, teamId, tokenId);
    expect(await refused(revoke(as(carol)))).toBe('FORBIDDEN');
    expect(await refused(revoke(as(randomUUID())))).toBe('TOKEN_NOT_FOUND');
    expect(await refused(fixture.ask(revokeMyToken, { actor: as(userId), tokenId: token.id }))).toBe('TOKEN_NOT_FOUND');
    expect(await refused(revokeInTeam(as(userId), randomUUID(), token.id))).toBe('TOKEN_NOT_FOUND');
    expect(await refused(revoke(as(userId), randomUUID()))).toBe('TOKEN_NOT_FOUND');
    expect(await refused(revoke(byToken(bob, other.id)))).toBe('FORBIDDEN');
    expect(await find(plaintext)).not.toBeNull();
    const { token: revoked } = await done(fixture.ask(revokeMyToken, { actor: as(bob), tokenId: token.id }));
    expect(revoked).toEqual({ ...token, revokedAt: expect.any(String) });
    expect(await find(plaintext)).toBeNull();
    await done(revoke(as(userId), other.id));
    expect(await find(otherPlaintext)).toBeNull();
  });

  it('is listed for its person and for its team, with its last use', async () => {
    const { userId, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const { token } = await done(make(bob, teamId));
    const { token: second } = await done(make(userId, teamId));
    await fixture.bus.tell(TokenUsed, { tokenId: token.id }, { now: new Date('2026-11-16T00:00:00Z') });
    await fixture.bus.tell(TokenUsed, { tokenId: token.id }, { now: new Date('2026-11-15T23:00:00Z') });
    await fixture.bus.idle();
    const used = { ...token, lastUsedAt: '2026-11-16T00:00:00.000Z' };
    expect(await done(fixture.ask(listMyTokens, { actor: as(bob) }))).toEqual({ tokens: [used] });
    expect(await done(fixture.ask(listTeamTokens, { teamId }))).toEqual({ tokens: [second, used] });
  });

  it('acts with the role of its scope, as long as it is live', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { id: appId } = await makeApp(fixture, { teamId });
    const keyBy = (tokenId: string) => fixture.ask(createKey, { actor: byToken(userId, tokenId), appId });
    const { token: reads } = await done(make(userId, teamId, { scope: 'read' }));
    const { token: writes } = await done(make(userId, teamId));
    const { token: expires } = await done(
      make(userId, teamId, { expiresAt: new Date(fixture.clock() + 3_600_000).toISOString() }),
    );
    expect(await refused(keyBy(reads.id))).toBe('FORBIDDEN');
    for (const { id } of [writes, expires]) await done(keyBy(id));
    await done(fixture.ask(revokeMyToken, { actor: as(userId), tokenId: writes.id }));
    fixture.clock.advance({ hours: 1 });
    for (const { id } of [writes, expires]) expect(await refused(keyBy(id))).toBe('APP_NOT_FOUND');
  });

  it('tells of every change of what somebody may do', async () => {
    const { userId, teamId } = await setUp(fixture);
    await fixture.bus.idle();
    expect([...toldOf(fixture)]).toEqual([userId]);
    const bob = await join(fixture, as(userId), teamId, 'bob@example.com', 'member');
    const { token } = await done(make(bob, teamId));
    const actor = as(userId);
    const passwords = { current: PASSWORD, next: 'another horse battery' };
    const deeds = [
      () => fixture.ask(setRole, { actor, teamId, userId: bob, role: 'viewer' }),
      () => revokeInTeam(actor, teamId, token.id),
      () => fixture.ask(endOtherSessions, { actor: as(bob) }),
      () => fixture.ask(changePassword, { actor: as(bob), ...passwords }),
      () => fixture.ask(removeMember, { actor, teamId, userId: bob }),
      async () => {
        const { code } = await done(fixture.ask(invite, { actor, teamId, email: 'bob@example.com', role: 'member' }));
        return fixture.ask(acceptInvitation, { actor: as(bob), code });
      },
    ];
    for (const deed of deeds) {
      fixture.told.length = 0;
      await done<unknown>(deed());
      await fixture.bus.idle();
      expect([...toldOf(fixture)]).toEqual([bob]);
    }
  });

  it('of the operator are made by whoever holds one, and revoked for good', async () => {
    const { userId, teamId } = await setUp(fixture);
    const now = new Date(fixture.clock());
    await storeOwnerToken(fixture.database, SECOND_TOKEN, now);
    const { token, plaintext } = await done(fixture.ask(createOwnerToken, { label: 'CI' }));
    const own = await done(make(userId, teamId));
    const list = async () => (await done(fixture.ask(listOwnerTokens))).tokens;
    expect(await list()).toMatchObject([
      { id: token.id, label: 'CI', hint: `${plaintext.slice(0, 7)}…` },
      { label: 'OWNER_TOKEN' },
    ]);
    expect(await find(plaintext)).toEqual({ caller: { kind: 'operator', tokenId: token.id }, expiresAt: null });
    const revoke = (tokenId: string) => fixture.ask(revokeOwnerToken, { tokenId });
    expect(await refused(revoke(own.token.id))).toBe('TOKEN_NOT_FOUND');
    expect(await refused(revokeInTeam(OPERATOR, teamId, token.id))).toBe('TOKEN_NOT_FOUND');
    fixture.told.length = 0;
    expect((await done(revoke(token.id))).token.revokedAt).not.toBeNull();
    expect(fixture.told).toEqual([{ event: TokenRevoked, data: { tokenId: token.id, hash: hashOf(plaintext) } }]);
    expect(await list()).toMatchObject([{ label: 'OWNER_TOKEN' }]);
    expect(await find(plaintext)).toBeNull();
    // A start that stores its token again does not restore a revoked token.
    await storeOwnerToken(fixture.database, plaintext, now);
    expect(await find(plaintext)).toBeNull();
    for (const { needs } of [listOwnerTokens, createOwnerToken, revokeOwnerToken]) expect(needs).toBe('operator');
  });

  it('of the environment is stored once, however many processes start at once', async () => {
    for (let round = 0; round < 10; round++) {
      const token = makeKey('lf_').plaintext;
      await Promise.all(Array.from({ length: 6 }, () => storeOwnerToken(fixture.database, token, new Date())));
    }
    const rows = await fixture.database.rows('select label from account.tokens');
    expect(rows).toEqual(Array(10).fill({ label: 'OWNER_TOKEN' }));
  });

  it('are stored as hashes, as keys are, and nothing else of them', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { id: appId } = await makeApp(fixture, { teamId });
    const secrets = await Promise.all([
      done(make(userId, teamId)),
      done(fixture.ask(createOwnerToken, {})),
      done(fixture.ask(createKey, { appId })),
    ]);
    await storeOwnerToken(fixture.database, SECOND_TOKEN, new Date());
    const dumps = await fixture.database.rows<{ dump: string }>(
      ['keys', 'tokens', 'audit', 'outbox']
        .map((table) => `select t::text as dump from account.${table} t`)
        .join(' union all '),
    );
    const dump = dumps.map((row) => row.dump).join('\n');
    for (const plaintext of [...secrets.map((made) => made.plaintext), SECOND_TOKEN]) {
      expect(dump).not.toContain(plaintext.slice(8));
      expect(dump).toContain(Buffer.from(hashOf(plaintext), 'base64url').toString('hex'));
    }
  });
};

consoleSuite('tokens', tokens, rules);
