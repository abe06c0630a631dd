// The audit log of a team: read page by page, and downloaded as a file.
import { randomUUID } from 'node:crypto';
import { connect, deadLetterSink } from '@landfall/db';
import { peopleOf } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, patch, post, systemOfFile } from '../calls.ts';

const { system } = await systemOfFile();
const people = peopleOf(system);
const setUp = await people.setUp();
/** Owns the instance. */
const first = setUp;
const owner = await people.join(first, setUp.teamId, 'viewer');
const teamId = await people.makeTeam(owner, '=HYPERLINK("https://evil.example")');
const admin = await people.join(owner, teamId, 'admin');
const body = { teamId, name: 'Shop, "the" one', subdomain: `m${randomUUID().slice(0, 8)}` };
const appId = (await owner.send(post('/api/manage/apps', body))).json.app.id;
await system.settled();
for (let i = 0; i < 4; i++) await admin.send(patch(`/api/manage/apps/${appId}`, { name: `Shop ${i}` }));
const { token } = await people.makeToken(admin, teamId, 'write');
const headers = { authorization: `Bearer ${token}` };
await system.send({ ...post(`/api/manage/apps/${appId}/keys`, { label: 'CI' }), headers });

interface Entry {
  id: string;
  at: string;
  action: string;
  actor: { kind: string; userId: string; tokenId: string | null };
  actorEmail: string | null;
  address: string | null;
  appId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const audit = (query = '') => owner.send({ path: `/api/manage/teams/${teamId}/audit${query}` });

async function allEntries(query = ''): Promise<Entry[]> {
  const entries: Entry[] = [];
  let next: string | null = '';
  while (next !== null) {
    const answer = await audit(`?limit=2${query}${next && `&cursor=${next}`}`);
    expect(answer.status, answer.text).toBe(200);
    entries.push(...answer.json.entries);
    next = answer.json.next;
  }
  return entries;
}

it('says who did what, latest first, page by page', async () => {
  const entries = await allEntries();
  expect(entries.map(({ action }) => action).slice(0, 6)).toEqual([
    'CreateKey',
    'MakeToken',
    ...new Array(4).fill('UpdateApp'),
  ]);
  const [key, , edited] = entries as [Entry, Entry, Entry];
  expect(key.actor).toMatchObject({ kind: 'token', userId: admin.id, tokenId: expect.any(String) });
  expect(edited).toMatchObject({
    actor: { kind: 'person', userId: admin.id, tokenId: null },
    actorEmail: admin.email,
    appId,
    before: { name: 'Shop 2' },
    after: { name: 'Shop 3' },
  });
  expect(edited.address).toMatch(/^[\w-]{43}$/);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  // Readers of the audit log see emails in clear, and never in encrypted form.
  expect(JSON.stringify(entries)).not.toContain('v1.');
  expect(entries.find(({ action }) => action === 'Invite')?.after).toMatchObject({ email: admin.email });
});

it('is asked for one kind of change, and for those since a time', async () => {
  const keys = await allEntries('&action=CreateKey');
  expect(keys.map(({ action }) => action)).toEqual(['CreateKey']);
  expect(await allEntries(`&from=${encodeURIComponent(new Date(Date.parse(keys[0]!.at) + 1).toISOString())}`)).toEqual(
    [],
  );
  expectError(await audit('?from=yesterday'), 400, 'INVALID_REQUEST');
});

it('is asked for an app, or for a person', async () => {
  const ofApp = await allEntries(`&appId=${appId}`);
  expect(new Set(ofApp.map((entry) => entry.appId))).toEqual(new Set([appId]));
  const ofOwner = await allEntries(`&userId=${owner.id}`);
  expect(ofOwner.length).toBeGreaterThan(0);
  expect(new Set(ofOwner.map(({ actor }) => actor.userId))).toEqual(new Set([owner.id]));
  expect(await allEntries(`&appId=${randomUUID()}`)).toEqual([]);
  expect((await allEntries('&actorKind=token')).map(({ action }) => action)).toEqual(['CreateKey']);
  expect(await allEntries('&actorKind=operator')).toEqual([]);
});

it('names the person whom a change was about', async () => {
  const member = await people.join(owner, teamId, 'member');
  const path = `/api/manage/teams/${teamId}/members/${member.id}`;
  await owner.send(patch(path, { role: 'viewer' }));
  await owner.send({ method: 'DELETE', path });
  const { invitation } = (
    await owner.send(post(`/api/manage/teams/${teamId}/invitations`, { email: 'eve@example.com', role: 'viewer' }))
  ).json;
  await owner.send({ method: 'DELETE', path: `/api/manage/teams/${teamId}/invitations/${invitation.id}` });
  const { entries } = (await audit('?limit=4')).json;
  expect(entries).toMatchObject([
    { action: 'RevokeInvitation', before: { email: 'eve@example.com' } },
    { action: 'Invite' },
    { action: 'RemoveMember', subjectName: member.email },
    { action: 'SetRole', subjectName: member.email },
  ]);
});

it('is taken along as JSON lines', async () => {
  const file = await audit('/export?format=jsonl');
  expect(file.status).toBe(200);
  expect(file.headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="audit.jsonl"',
    'cache-control': 'no-store',
  });
  const lines = file.text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(await allEntries());
});

it('is taken along as CSV, in which nothing is a formula', async () => {
  const file = await audit('/export?format=csv');
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  const [head, ...rows] = file.text.trim().split('\r\n');
  expect(head).toBe('at,action,actor,actorEmail,userId,tokenId,address,teamId,appId,subject,before,after,id');
  expect(rows).toHaveLength((await allEntries()).length);
  for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,\w+,(person|token|operator),/);
  expect(file.text).toContain('""name"":""Shop 3""');
  expect(file.text).not.toMatch(/(^|,)"?[=+@-]/m);
});

it('is for admins, also as a file', async () => {
  const member = await people.join(owner, teamId, 'member');
  for (const path of ['audit', 'audit/export', 'audit/export?format=csv'])
    expectError(await member.send({ path: `/api/manage/teams/${teamId}/${path}` }), 403, 'FORBIDDEN');
  expectError(await audit('/export?format=xml'), 400, 'INVALID_REQUEST');
});

describe('links and checks', () => {
  const links = () => `/api/manage/apps/${appId}/links`;
  const latest = async (count: number) => (await allEntries(`&appId=${appId}`)).slice(0, count);

  it('says who made a link, once, and in its history', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const make = () => admin.send({ ...post(links(), { destination: '/a', metadata: { n: 1 } }), headers });
    const { link } = (await make()).json;
    expect((await make()).json.link.id).toBe(link.id);
    // An owner of the instance sees it among the changes of all teams.
    const all = await first.send({ path: '/api/manage/audit?action=CreateLink&limit=1' });
    expect(all.json.entries).toMatchObject([{ teamId, subject: link.id }]);
    const edits = await first.send({ path: `/api/manage/audit?action=EditLink&teamId=${teamId}` });
    expect(edits.json.entries).toEqual([]);
    const [made, earlier] = await latest(2);
    expect(made).toMatchObject({
      action: 'CreateLink',
      actor: { kind: 'person', userId: admin.id, tokenId: null },
      actorEmail: admin.email,
      address: expect.stringMatching(/^[\w-]{43}$/),
      subject: link.id,
      subjectName: '/a',
      before: null,
      after: { destination: '/a', metadata: { n: 1 } },
    });
    expect(earlier?.action).not.toBe('CreateLink');
    const history = await admin.send({ path: `/api/manage/links/${link.id}/history` });
    expect(history.json.entries).toEqual([made]);
  });

  it('has no entry for a link of an SDK or server key', async () => {
    const before = await allEntries();
    for (const kind of ['mobile', 'server']) {
      const { plaintext: key } = (await admin.send(post(`/api/manage/apps/${appId}/keys`, { kind }))).json;
      await system.settled();
      const made = await system.send({
        ...post('/api/links/create-sdk', { destination: '/a' }),
        headers: { authorization: `Bearer ${key}` },
      });
      expect(made.status, made.text).toBeLessThan(300);
    }
    expect((await allEntries()).slice(0, -before.length).map(({ action }) => action)).toEqual([
      'CreateKey',
      'CreateKey',
    ]);
  });

  it('has one entry for an import, and none for a dry run', async () => {
    const { token } = await people.makeToken(admin, teamId, 'write');
    const rows = ['/a', '/b', '/c'].map((destination) => ({ destination }));
    const send = (dryRun: boolean) =>
      system.send({
        ...post(`${links()}/import`, { links: rows, dryRun }),
        headers: { authorization: `Bearer ${token}` },
      });
    const [before] = await latest(1);
    for (const dryRun of [true, false]) expect((await send(dryRun)).json.created).toBe(3);
    expect(await latest(2)).toMatchObject([
      { action: 'ImportLinks', actor: { kind: 'token', userId: admin.id }, subject: appId, after: { links: 3 } },
      { id: before?.id },
    ]);
  });

  it('says who had the hosts checked', async () => {
    const checked = await admin.send(post(`/api/manage/apps/${appId}/checks`, undefined));
    expect(checked.status, checked.text).toBe(200);
    expect(await latest(1)).toMatchObject([{ action: 'CheckHosts', actor: { userId: admin.id }, subject: appId }]);
  });
});

it('says who replayed dead letters, to owners of the instance', async () => {
  const database = connect({ url: system.databaseUrl, max: 1 });
  const letter = { id: randomUUID(), group: 'account', message: 'NobodyKnows', key: 'key', data: {}, reason: 'Error' };
  await deadLetterSink(database)({ ...letter, attempts: 3, messageId: randomUUID(), at: new Date() });
  await database.close();
  const replay = (body: object) => first.send(post('/api/manage/dead-letters/replay', body));
  expectError(await replay({ group: 'nobody' }), 400, 'INVALID_REQUEST');
  expect((await replay({ group: 'account' })).status).toBe(200);
  const { entries } = (await first.send({ path: '/api/manage/audit' })).json;
  expect(entries.filter(({ action }: Entry) => action === 'ReplayDeadLetters')).toMatchObject([
    { actor: { kind: 'person', userId: first.id }, appId: null, after: { group: 'account', letters: 'all' } },
  ]);
});
