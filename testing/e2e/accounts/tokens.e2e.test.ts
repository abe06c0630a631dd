// Personal access tokens: the rights of a person in one team, or fewer.
import { randomUUID } from 'node:crypto';
import { peopleOf, type Sent, type TestPerson } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { del, expectError, patch, post, systemOfFile } from '../calls.ts';

const { system } = await systemOfFile();
const people = peopleOf(system);
const first = await people.setUp();
const owner = await people.join(first, first.teamId, 'viewer');
const teamId = await people.makeTeam(owner);
const body = { teamId, name: 'Shop', subdomain: `m${randomUUID().slice(0, 8)}` };
const appId = (await owner.send(post('/api/manage/apps', body))).json.app.id;
await system.settled();

const MINE = '/api/manage/me/tokens';
const team = () => `/api/manage/teams/${teamId}`;
const app = () => `/api/manage/apps/${appId}`;
const make = (by: TestPerson, body: object = {}) => by.send(post(MINE, { teamId, scope: 'write', ...body }));
const using = (token: string, sent: Sent) => system.send({ ...sent, headers: { authorization: `Bearer ${token}` } });
async function change(by: TestPerson, sent: Sent) {
  const answer = await by.send(sent);
  await system.settled();
  return answer;
}

describe('a token', () => {
  it('is shown once, and listed without it', async () => {
    const made = await make(owner, { scope: 'read', label: 'CI' });
    expect(made.status, made.text).toBe(200);
    const { token, plaintext } = made.json;
    expect(plaintext).toMatch(/^lf_[0-9a-f]{32}$/);
    expect(token).toMatchObject({ label: 'CI', scope: 'read', teamId, userId: owner.id, revokedAt: null });
    expect(plaintext.startsWith(token.hint.slice(0, 7))).toBe(true);
    for (const path of [MINE, `${team()}/tokens`]) {
      const listed = await owner.send({ path });
      expect(listed.json.tokens.map(({ id }: { id: string }) => id)).toContain(token.id);
      expect(listed.text).not.toContain(plaintext);
    }
  });

  it('reads, writes at most as an admin, and never sees to people or tokens', async () => {
    const read = (await make(owner, { scope: 'read' })).json.plaintext;
    const write = (await make(owner)).json.plaintext;
    for (const token of [read, write]) {
      expect((await using(token, { path: app() })).status).toBe(200);
      expect((await using(token, { path: `${team()}/members` })).status).toBe(200);
      expectError(await using(token, { path: MINE }), 403, 'FORBIDDEN');
      expectError(await using(token, { path: `${team()}/tokens` }), 403, 'FORBIDDEN');
      expectError(await using(token, patch(team(), { name: 'x' })), 403, 'FORBIDDEN');
      expectError(
        await using(token, post(`${team()}/invitations`, { email: people.newEmail(), role: 'viewer' })),
        403,
        'FORBIDDEN',
      );
    }
    expectError(await using(read, patch(app(), { name: 'x' })), 403, 'FORBIDDEN');
    // A token works without the header that a page must send, because no browser adds a bearer token by itself.
    expect((await using(write, patch(app(), { name: 'x' }))).status).toBe(200);
    expect((await using(write, { path: '/api/manage/me' })).json).toMatchObject({
      kind: 'token',
      person: { id: owner.id },
      scope: 'write',
      teams: [{ id: teamId, role: 'admin' }],
    });
    expect((await using(read, { path: '/api/manage/me' })).json.teams[0].role).toBe('viewer');
    expect((await using(read, { path: '/api/manage/teams' })).json.teams).toMatchObject([
      { id: teamId, role: 'viewer' },
    ]);
    const apps = (await using(read, { path: '/api/manage/apps' })).json.apps;
    expect(apps.map(({ id }: { id: string }) => id)).toEqual([appId]);
  });

  it('acts in its team alone, and as long as its person is in it', async () => {
    const member = await people.join(owner, teamId, 'member');
    const second = await people.makeTeam(member, 'Second');
    const token = (await make(member)).json.plaintext;
    expectError(await using(token, { path: `/api/manage/teams/${second}` }), 404, 'TEAM_NOT_FOUND');
    // A token has no more rights than its person.
    expectError(await using(token, patch(app(), { name: 'x' })), 403, 'FORBIDDEN');
    expect((await using(token, { path: app() })).status).toBe(200);
    await change(owner, del(`${team()}/members/${member.id}`));
    const after = await using(token, { path: app() });
    expect([401, 404]).toContain(after.status);
    expectError(await make(member), 404, 'TEAM_NOT_FOUND');
  });

  it('is revoked by its person, and by an admin of the team', async () => {
    const member = await people.join(owner, teamId, 'member');
    const stranger = await people.join(owner, teamId, 'member');
    for (const [by, path] of [
      [member, MINE],
      [owner, `${team()}/tokens`],
    ] as const) {
      const { token, plaintext } = (await make(member)).json;
      expect((await using(plaintext, { path: app() })).status).toBe(200);
      expectError(await stranger.send(del(`${MINE}/${token.id}`)), 404, 'TOKEN_NOT_FOUND');
      const revoked = await change(by, del(`${path}/${token.id}`));
      expect(revoked.json.token.revokedAt).not.toBeNull();
      expectError(await using(plaintext, { path: app() }), 401, 'NOT_SIGNED_IN');
      const { tokens } = (await member.send({ path: MINE })).json;
      expect(tokens.map(({ id }: { id: string }) => id)).not.toContain(token.id);
    }
  });

  it('expires, also where a gateway has it at hand', async () => {
    const expiresAt = new Date(system.clock() + 3_600_000).toISOString();
    const { plaintext } = (await make(owner, { expiresAt })).json;
    expect((await using(plaintext, { path: app() })).status).toBe(200);
    system.clock.advance({ hours: 1, seconds: 5 });
    const ended = await using(plaintext, { path: app() });
    expectError(ended, 401, 'NOT_SIGNED_IN');
    expect(ended.json.error).toBe('This token is unknown or has ended.');
  });

  it('says when it was last used', async () => {
    const { token, plaintext } = (await make(owner)).json;
    expect(token.lastUsedAt).toBeNull();
    await using(plaintext, { path: app() });
    await system.settled();
    const { tokens } = (await owner.send({ path: MINE })).json;
    expect(tokens.find(({ id }: { id: string }) => id === token.id).lastUsedAt).not.toBeNull();
  });
});
