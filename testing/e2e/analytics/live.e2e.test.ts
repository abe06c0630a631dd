// The live stream of an app: events while they happen, over server-sent events.
import { randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { freshIp, peopleOf, type TestApp, type TestPerson } from '@landfall/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectError, newDevice, post, systemOfFile } from '../calls.ts';

const open: ClientRequest[] = [];

const { system, calls } = await systemOfFile();
const people = peopleOf(system);
const first = await people.setUp();
const app = await system.makeApp();
const link = await system.makeLink(app);
afterEach(() => {
  for (const stream of open.splice(0)) stream.destroy();
});

interface Shown {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

const path = () => `/api/manage/apps/${app.app.id}/live`;

/** Opens the stream, and collects what it shows. */
async function watch(headers: Record<string, string> = {}, query = '', at = path()) {
  const shown: Shown[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = { host: 'api.test', authorization: `Bearer ${system.ownerToken}`, ...headers };
    const stream = request({ port: system.consolePort, path: at + query, headers: sent, agent: false }, resolve);
    stream.once('error', reject);
    stream.end();
    open.push(stream);
  });
  let text = '';
  let ended = false;
  response.on('close', () => {
    ended = true;
  });
  response.setEncoding('utf8');
  response.on('error', () => {});
  response.on('data', (part: string) => {
    const blocks = (text + part).split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) shown.push({ id: field('id')!, name: field('event')!, data: JSON.parse(data) });
    }
  });
  return { status: response.statusCode, headers: response.headers, shown, ended: () => ended };
}

const named = (shown: readonly Shown[], name: string) => shown.filter((one) => one.name === name);
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 20 });

it('shows a tap, and the decision of a restore with its reason', async () => {
  const { status, headers, shown } = await watch();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const device = newDevice();
  await calls.tap(link.url, { ip: device.ip });
  await eventually(() => expect(named(shown, 'click')).toHaveLength(1));
  expect(named(shown, 'click')[0]!.data).toMatchObject({ linkId: link.id, platform: 'android', kind: 'click' });

  await calls.heartbeat(app, device.body, { ip: device.ip });
  const restored = await calls.restore(app, device.body, { ip: device.ip });
  expect(restored.json.count).toBe(1);
  await eventually(() => {
    expect(named(shown, 'install')).toHaveLength(1);
    expect(named(shown, 'restore')).toHaveLength(1);
    expect(named(shown, 'decision')).toHaveLength(1);
  });
  expect(named(shown, 'decision')[0]!.data).toMatchObject({ matchType: 'address', considered: [{ taken: true }] });
  const all = JSON.stringify(shown);
  for (const secret of [device.ip, device.deviceFingerprint]) expect(all).not.toContain(secret);
});

it('lists the latest events of one kind, also behind many others', async () => {
  const device = newDevice();
  const own = await system.makeApp();
  await calls.heartbeat(own, device.body, { ip: device.ip });
  await system.makeLink(own);
  await system.settled();
  const kindsOf = async (query: string) => {
    const { json } = await system.manage({ path: `/api/manage/apps/${own.app.id}/events?limit=1${query}` });
    return json.events.map(({ kind }: { kind: string }) => kind);
  };
  expect(await kindsOf('')).toEqual(['linkCreated']);
  expect(await kindsOf('&kind=install')).toEqual(['install']);
  expect(await kindsOf('&kind=open')).toEqual([]);
});

it('shows the decision of a restore that gives nothing, with its reason', async () => {
  const device = newDevice();
  await calls.heartbeat(app, device.body, { ip: device.ip });
  // The device is not new any more.
  system.clock.advance({ hours: 2 });
  await calls.tap(link.url, { ip: device.ip });
  const { shown } = await watch();
  const restored = await calls.restore(app, device.body, { ip: device.ip });
  expect(restored.json.count).toBe(0);
  await eventually(() => expect(named(shown, 'decision')).toHaveLength(1));
  expect(named(shown, 'decision')[0]!.data).toMatchObject({
    matchType: null,
    summary: expect.any(String),
    considered: [{ taken: false, reason: expect.any(String) }],
  });
});

it.each<[string, (id: string) => Parameters<typeof watch>]>([
  ['the header of a browser', (id) => [{ 'last-event-id': id }]],
  ['a parameter', (id) => [{}, `?lastEventId=${id}`]],
])('goes on where it was interrupted, with %s', async (_, from) => {
  const first = await watch();
  await calls.tap(link.url, { ip: freshIp() });
  await eventually(() => expect(named(first.shown, 'click')).toHaveLength(1));
  open.splice(0).forEach((stream) => void stream.destroy());
  system.clock.advance({ seconds: 30 });
  await calls.tap(link.url, { ip: freshIp() });
  await system.settled();
  const last = first.shown.at(-1)!;
  const second = await watch(...from(last.id));
  const missed = () => named(second.shown, 'click').filter(({ data }) => data.id !== last.data.id);
  await eventually(() => expect(missed().length).toBeGreaterThanOrEqual(1));
  const ids = named(second.shown, 'click').map(({ data }) => data.id);
  expect(ids).toContain(missed().at(-1)!.data.id);
});

it('has a bound for each caller', async () => {
  for (let i = 0; i < 6; i++) expect((await watch()).status).toBe(200);
  const answer = await system.manage({ path: path() });
  // Another gateway counts its own.
  if (answer.status !== 200) expectError(answer, 429, 'TOO_MANY_STREAMS');
  else expect((await watch()).status).toBe(429);
  open.splice(0).forEach((stream) => void stream.destroy());
  await eventually(async () => expect((await watch()).status).toBe(200));
});

it('belongs to the members of the app', async () => {
  expectError(await system.send({ path: path() }), 401, 'NOT_SIGNED_IN');
});

describe('ends with the right that opened it', () => {
  let owner: TestPerson;
  let teamId: string;
  let appId: string;
  let live: string;

  /** A team and an app of its own for each way to lose the right. */
  async function world() {
    owner = await people.join(first, first.teamId, 'owner');
    teamId = await people.makeTeam(owner);
    const body = { teamId, name: 'Watched', subdomain: `w${randomUUID().slice(0, 8)}` };
    const made = await owner.send(post('/api/manage/apps', body));
    appId = made.json.app.id;
    live = `/api/manage/apps/${appId}/live`;
    await system.settled();
  }
  const does = async (by: Pick<TestPerson, 'send'>, method: string, path: string, body?: object) => {
    const answer = await by.send({ method, path: `/api/manage/${path}`, body });
    expect(answer.status, answer.text).toBe(200);
  };
  const cookie = (person: TestPerson) => ({ cookie: person.cookie, authorization: '' });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  type Way = () => Promise<{ headers: Record<string, string>; lose: () => Promise<void> }>;
  const ways: Record<string, Way> = {
    async 'a member who is removed'() {
      const person = await people.join(owner, teamId, 'viewer');
      return { headers: cookie(person), lose: () => does(owner, 'DELETE', `teams/${teamId}/members/${person.id}`) };
    },
    async 'a member who leaves'() {
      const person = await people.join(owner, teamId, 'viewer');
      return { headers: cookie(person), lose: () => does(person, 'DELETE', `teams/${teamId}/members/${person.id}`) };
    },
    async 'the token of a member who is removed'() {
      const person = await people.join(owner, teamId, 'member');
      const { token } = await people.makeToken(person, teamId, 'read');
      return { headers: bearer(token), lose: () => does(owner, 'DELETE', `teams/${teamId}/members/${person.id}`) };
    },
    async 'a sign-out'() {
      const person = await people.join(owner, teamId, 'viewer');
      return { headers: cookie(person), lose: () => does(person, 'DELETE', 'session') };
    },
    async 'a session that is ended from another'() {
      const person = await people.join(owner, teamId, 'viewer');
      const other = await people.signIn(person);
      await system.settled();
      return { headers: cookie(person), lose: () => does(other, 'DELETE', 'me/sessions') };
    },
    async 'a new password'() {
      const person = await people.join(owner, teamId, 'viewer');
      const other = await people.signIn(person);
      await system.settled();
      const body = { current: person.password, next: people.newPassword() };
      return { headers: cookie(person), lose: () => does(other, 'POST', 'me/password', body) };
    },
    async 'a revoked token'() {
      const { token, id } = await people.makeToken(owner, teamId, 'read');
      return { headers: bearer(token), lose: () => does(owner, 'DELETE', `me/tokens/${id}`) };
    },
    async 'a revoked owner token'() {
      const made = await system.manage(post('/api/manage/owner-tokens', { label: 'watch' }));
      const { plaintext, token } = made.json;
      const operator = { send: system.manage };
      return { headers: bearer(plaintext), lose: () => does(operator, 'DELETE', `owner-tokens/${token.id}`) };
    },
    async 'an archived app'() {
      return { headers: cookie(owner), lose: () => does(owner, 'PATCH', `apps/${appId}`, { archived: true }) };
    },
    async 'a deleted team'() {
      const person = await people.join(owner, teamId, 'viewer');
      // A team is deleted when its apps are archived.
      await does(owner, 'PATCH', `apps/${appId}`, { archived: true });
      await system.settled();
      return { headers: cookie(person), lose: () => does(owner, 'DELETE', `teams/${teamId}`) };
    },
    async 'an app that goes to another team'() {
      const person = await people.join(owner, teamId, 'viewer');
      const other = await people.makeTeam(owner);
      return { headers: cookie(person), lose: () => does(owner, 'POST', `apps/${appId}/transfer`, { teamId: other }) };
    },
  };

  it.each(Object.entries(ways))('%s', async (name, way) => {
    await world();
    const { headers, lose } = await way();
    const kept = await watch({}, '', live);
    const stream = await watch(headers, '', live);
    expect(stream.status).toBe(200);
    await lose();
    // Long before the sign of life, which would find it, too.
    await eventually(() => expect(stream.ended()).toBe(true));
    // The operator keeps the right. The stream of an archived app ends for everybody.
    if (name !== 'an archived app') expect(kept.ended()).toBe(false);
  });

  it('and goes on after changes that leave the right', async () => {
    await world();
    const person = await people.join(owner, teamId, 'viewer');
    const stream = await watch(cookie(person), '', live);
    await does(owner, 'PATCH', `apps/${appId}`, { name: 'Renamed' });
    await does(owner, 'PATCH', `teams/${teamId}/members/${person.id}`, { role: 'member' });
    await does(owner, 'PATCH', `teams/${teamId}`, { name: 'Renamed' });
    await people.signIn(person);
    await system.settled();
    await calls.tap((await system.makeLink(await keyed(appId))).url, { ip: freshIp() });
    await eventually(() => expect(named(stream.shown, 'click')).toHaveLength(1));
    expect(stream.ended()).toBe(false);
  });

  async function keyed(id: string): Promise<TestApp> {
    const key = await owner.send(post(`/api/manage/apps/${id}/keys`, {}));
    await system.settled();
    return { app: { ...app.app, id }, key: key.json.plaintext };
  }
});
