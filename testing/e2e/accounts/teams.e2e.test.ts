// Tests of teams: members, invitations and removals, and the data of a team.
import { randomUUID } from 'node:crypto';
import { peopleOf, type Received, type Sent, samePage, type TestPerson } from '@landfall/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { del, expectError, patch, post, systemOfFile } from '../calls.ts';

let owner: TestPerson;
let teamId: string;
const { system } = await systemOfFile();
const people = peopleOf(system);
const first = await people.setUp();
beforeEach(async () => {
  owner = await people.join(first, first.teamId, 'viewer');
  teamId = await people.makeTeam(owner, 'Lemons');
});

const TEAMS = '/api/manage/teams';
const team = () => `${TEAMS}/${teamId}`;
/** Sends the request, and waits until every copy of the changed data is dropped. */
async function change(by: TestPerson, sent: Sent): Promise<Received> {
  const answer = await by.send(sent);
  await system.settled();
  return answer;
}
async function ok(answering: Promise<Received>): Promise<Received> {
  const answer = await answering;
  expect(answer.status, answer.text).toBe(200);
  return answer;
}
const invite = (by: TestPerson, email: string, role = 'member') =>
  by.send(post(`${team()}/invitations`, { email, role }));
const onPage = (sent: Sent) => system.send({ ...sent, headers: samePage });
const join = (code: string) =>
  onPage(post('/api/manage/invitations/join', { code, name: 'Ada', password: people.newPassword() }));

describe('a team', () => {
  it('is made by a person, who owns it, and is listed with their role', async () => {
    const { json } = await ok(owner.send({ path: TEAMS }));
    expect(json.teams.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
      ['Lemons', 'owner'],
      ['First', 'viewer'],
    ]);
    const seen = await ok(owner.send({ path: team() }));
    expect(seen.json).toMatchObject({ team: { id: teamId, name: 'Lemons', version: 1 }, role: 'owner' });
    // Owners of the installation and the operator see all teams.
    const all = await ok(first.send({ path: TEAMS }));
    expect(all.json.teams.find(({ id }: { id: string }) => id === teamId)).toMatchObject({ role: null });
    expect((await ok(first.send({ path: team() }))).json.role).toBe('viewer');
    expect((await ok(system.manage({ path: team() }))).json.role).toBe('owner');
    const page = await ok(owner.send({ path: `${TEAMS}?limit=1` }));
    const rest = await ok(owner.send({ path: `${TEAMS}?limit=1&cursor=${page.json.next}` }));
    expect([page, rest].map((answer) => answer.json.teams[0].name)).toEqual(['Lemons', 'First']);
  });

  it('is renamed at the version that was read', async () => {
    const { headers } = await ok(owner.send({ path: team() }));
    expect(headers.etag).toBe('"1"');
    const rename = (name: string, ifMatch?: string) =>
      change(owner, { ...patch(team(), { name }), headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
    const renamed = await ok(rename('Limes', headers.etag));
    expect(renamed.headers.etag).toBe('"2"');
    expectError(await rename('Plums', headers.etag), 412, 'VERSION_MISMATCH');
    expect((await ok(owner.send({ path: team() }))).json.team.name).toBe('Limes');
    await ok(rename('Dates'));
    expect((await ok(owner.send({ path: team() }))).headers.etag).toBe('"3"');
  });
});

describe('a team that is deleted', () => {
  it('is gone for its people, their tokens and whoever was invited', async () => {
    const admin = await people.join(owner, teamId, 'admin');
    const { token } = await people.makeToken(admin, teamId, 'write');
    const bearer = { authorization: `Bearer ${token}` };
    const invited = await ok(invite(owner, people.newEmail()));
    const me = () => system.send({ path: '/api/manage/me', headers: bearer });
    expect((await me()).status).toBe(200);
    expectError(await change(admin, del(team())), 403, 'FORBIDDEN');
    expectError(await change(owner, { ...del(team()), headers: { 'if-match': '"7"' } }), 412, 'VERSION_MISMATCH');
    await ok(change(owner, { ...del(team()), headers: { 'if-match': '"1"' } }));
    for (const who of [owner, admin]) {
      expectError(await who.send({ path: team() }), 404, 'TEAM_NOT_FOUND');
      const { json } = await ok(who.send({ path: '/api/manage/me' }));
      expect(json.teams.map(({ id }: { id: string }) => id)).not.toContain(teamId);
    }
    expectError(await me(), 401, 'NOT_SIGNED_IN');
    expectError(await join(invited.json.code), 404, 'INVITATION_NOT_FOUND');
    expectError(await change(owner, del(team())), 404, 'TEAM_NOT_FOUND');
    // Owners of the installation still read its audit log.
    const log = await ok(first.send({ path: `/api/manage/audit?teamId=${teamId}&limit=1` }));
    expect(log.json.entries).toMatchObject([{ action: 'DeleteTeam', subject: teamId, before: { name: 'Lemons' } }]);
  });
});

describe('an invitation', () => {
  it('is seen, used once, and makes a member of who is somebody new here', async () => {
    const email = people.newEmail();
    const invited = await ok(invite(owner, email));
    expect(invited.json.invitation).toMatchObject({ email, role: 'member', teamId });
    const { code } = invited.json;
    expect(code).toMatch(/^[\w-]{43}$/);
    // The answer has a command line for a shell instead of a URL, because no page exists to open.
    expect(invited.json.url).toBeUndefined();
    expect(invited.json.curl).toContain('curl -X POST http://api.test/api/manage/invitations/join ');
    expect(invited.json.curl).toContain(`"code":"${code}"`);
    expect((await ok(owner.send({ path: `${team()}/members` }))).json.invitations).toHaveLength(1);

    const look = () => onPage(post('/api/manage/invitations/look', { code }));
    expect((await ok(look())).json).toEqual({
      success: true,
      teamName: 'Lemons',
      email,
      role: 'member',
      expiresAt: invited.json.invitation.expiresAt,
    });
    const joined = await ok(join(code));
    expect(joined.json).toMatchObject({ person: { email, name: 'Ada' }, team: { id: teamId }, role: 'member' });
    await system.settled();
    const members = await ok(owner.send({ path: `${team()}/members` }));
    expect(members.json.invitations).toEqual([]);
    expect(members.json.members.map(({ email: one, role }: { email: string; role: string }) => [one, role])).toEqual(
      expect.arrayContaining([
        [owner.email, 'owner'],
        [email, 'member'],
      ]),
    );
    for (const again of [await look(), await join(code)]) expectError(again, 404, 'INVITATION_NOT_FOUND');
  });

  it('is accepted by who has its email, and by nobody else', async () => {
    const known = await people.join(first, first.teamId, 'viewer');
    const stranger = await people.join(first, first.teamId, 'viewer');
    const code = (await ok(invite(owner, known.email.toUpperCase(), 'admin'))).json.code;
    expectError(await join(code), 409, 'PERSON_EXISTS');
    const accept = (by: TestPerson) => change(by, post('/api/manage/invitations/accept', { code }));
    expectError(await accept(stranger), 403, 'INVITED_OTHER');
    expect((await ok(accept(known))).json).toMatchObject({ team: { id: teamId }, role: 'admin' });
    expect((await ok(known.send({ path: team() }))).json.role).toBe('admin');
    expectError(await invite(owner, known.email), 409, 'ALREADY_MEMBER');
  });

  it('is taken back, runs out, and gives no more than who gives it has', async () => {
    const back = await ok(invite(owner, people.newEmail()));
    await ok(change(owner, del(`${team()}/invitations/${back.json.invitation.id}`)));
    expectError(await join(back.json.code), 404, 'INVITATION_NOT_FOUND');

    const admin = await people.join(owner, teamId, 'admin');
    expectError(await invite(admin, people.newEmail(), 'owner'), 403, 'FORBIDDEN');
    const late = await ok(invite(admin, people.newEmail(), 'admin'));
    const { createdAt, expiresAt } = late.json.invitation;
    system.clock.advance({ ms: Date.parse(expiresAt) - Date.parse(createdAt) + 1_000 });
    expectError(await join(late.json.code), 404, 'INVITATION_NOT_FOUND');
  });
});

describe('a member', () => {
  const at = (person: TestPerson) => `${team()}/members/${person.id}`;

  it('is taken out by an admin, or leaves; the last owner stays', async () => {
    const admin = await people.join(owner, teamId, 'admin');
    const member = await people.join(owner, teamId, 'member');
    const viewer = await people.join(owner, teamId, 'viewer');
    expectError(await change(member, del(at(viewer))), 403, 'FORBIDDEN');
    expectError(await change(admin, del(at(owner))), 403, 'FORBIDDEN');
    await ok(change(admin, del(at(member))));
    await ok(change(viewer, del(at(viewer))));
    for (const gone of [member, viewer]) expectError(await gone.send({ path: team() }), 404, 'TEAM_NOT_FOUND');
    expectError(await change(owner, del(at(owner))), 409, 'LAST_OWNER');
    await ok(change(owner, patch(at(admin), { role: 'owner' })));
    await ok(change(owner, del(at(owner))));
    expectError(await owner.send({ path: team() }), 404, 'TEAM_NOT_FOUND');
  });
});

describe('an app', () => {
  const make = (by: TestPerson, of?: string) =>
    change(by, post('/api/manage/apps', { name: 'Shop', subdomain: `m${randomUUID().slice(0, 8)}`, teamId: of }));

  it('belongs to a team, and is made and seen by its people', async () => {
    const member = await people.join(owner, teamId, 'member');
    const made = await ok(make(owner, teamId));
    expect(made.json.app.teamId).toBe(teamId);
    expect(made.headers.etag).toBe('"1"');
    expectError(await make(member, teamId), 403, 'FORBIDDEN');
    expectError(await make(owner, first.teamId), 403, 'FORBIDDEN');
    expectError(await make(owner, randomUUID()), 404, 'TEAM_NOT_FOUND');
    expectError(await make(owner), 400, 'INVALID_REQUEST');
    const listed = async (by: TestPerson) =>
      (await ok(by.send({ path: '/api/manage/apps' }))).json.apps.map(({ id }: { id: string }) => id);
    expect(await listed(member)).toEqual([made.json.app.id]);
    expect(await listed(first)).toContain(made.json.app.id);
    expect(await listed(await people.join(first, first.teamId, 'viewer'))).not.toContain(made.json.app.id);
  });
});
