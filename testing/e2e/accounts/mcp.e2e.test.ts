// The tools for language models at `/mcp`, called by the client of the protocol's own library.
import { randomUUID } from 'node:crypto';
import { freshIp, peopleOf, startSystem } from '@landfall/testkit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, it } from 'vitest';
import { expectError, newDevice, post, systemOfFile } from '../calls.ts';

const CHECKS = 2;
const { system, calls } = await systemOfFile({ RATE_LIMITS: `checks=${CHECKS}` });
const people = peopleOf(system);
const owner = await people.setUp();
const { teamId } = owner;
const inStores = {
  ios: { storeId: '1234567890', teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
  matching: { existingUsers: false },
};
const body = { teamId, name: 'Shop', subdomain: `m${randomUUID().slice(0, 8)}`, ...inStores };
const app = (await owner.send(post('/api/manage/apps', body))).json.app;
const { plaintext: key } = (await owner.send(post(`/api/manage/apps/${app.id}/keys`, {}))).json;
const otherTeam = await people.makeTeam(owner, 'Elsewhere');
const other = await people.join(owner, otherTeam, 'admin');
await system.settled();

const { token: writing, id: writingId } = await people.makeToken(owner, teamId, 'write');
const { token: reading } = await people.makeToken(owner, teamId, 'read');
const { token: elsewhere } = await people.makeToken(other, otherTeam, 'write');

const url = (port = system.consolePort) => new URL(`http://127.0.0.1:${port}/mcp`);
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

/** A client as a program of somebody else makes it. */
async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(url(), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  // The client checks each output against the schema that the list gives.
  await client.listTools();
  return client;
}

const writer = await connect(writing);
const reader = await connect(reading);

// biome-ignore lint/suspicious/noExplicitAny: tests look into any output
async function call(client: Client, name: string, given: object = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: { ...given } });
  const [said] = result.content as { type: string; text: string }[];
  if (result.isError) throw new Refused(said!.text);
  expect(JSON.parse(said!.text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

class Refused extends Error {}

/** The error that the model reads. */
const refusal = async (asked: Promise<unknown>) =>
  JSON.parse(
    await asked.then(
      () => '"nothing was refused"',
      (error) => (error instanceof Refused ? error.message : JSON.stringify(String(error))),
    ),
  );

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const ACCEPTS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
const raw = (message: unknown, headers: Record<string, string> = {}) =>
  system.send({ ...post('/mcp', message), headers: { authorization: `Bearer ${reading}`, ...ACCEPTS, ...headers } });

describe('the tools', () => {
  it('say what they take, what they give and what they change', async () => {
    const { tools } = await writer.listTools();
    const changing = ['archive_link', 'create_link'];
    const names = ['analytics', 'app_checks', 'explain_tap', 'find_links', 'get_link', 'list_apps', 'restores'];
    expect(tools.map(({ name }) => name).sort()).toEqual([...names, ...changing].sort());
    for (const { name, description, annotations, inputSchema, outputSchema } of tools) {
      expect(annotations, name).toMatchObject({ readOnlyHint: !changing.includes(name), openWorldHint: false });
      expect(description!.length, name).toBeGreaterThan(60);
      expect([inputSchema, outputSchema!].map(({ type }) => type)).toEqual(['object', 'object']);
    }
    expect(tools.find(({ name }) => name === 'archive_link')!.annotations!.destructiveHint).toBe(true);
    expect((await reader.listTools()).tools.map(({ name }) => name).sort()).toEqual(names);
    expect(writer.getInstructions()).toContain('list_apps');
  });

  it('make, find, get, explain and archive a link, as the person of the token', async () => {
    const { apps } = await call(writer, 'list_apps');
    expect(apps).toMatchObject([{ id: app.id, name: 'Shop', linkHost: app.linkHost }]);
    expect(apps[0]).not.toHaveProperty('matching');

    const wanted = { appId: app.id, destination: '/cake?size=2', metadata: { og_title: 'Cake' } };
    const again = { ...wanted, idempotencyKey: randomUUID() };
    const { link } = await call(writer, 'create_link', again);
    expect(link).toMatchObject({ destination: '/cake?size=2', metadata: { og_title: 'Cake' }, archivedAt: null });
    expect((await call(writer, 'create_link', again)).link.id).toBe(link.id);

    const find = { appId: app.id, search: '/cake', state: 'live', limit: 1 };
    expect((await call(reader, 'find_links', find)).links.map(({ id }: { id: string }) => id)).toEqual([link.id]);
    for (const named of [link.id, link.url])
      expect((await call(reader, 'get_link', { link: named })).link).toEqual(link);

    for (const named of [link.id, link.url]) {
      const tap = await call(reader, 'explain_tap', { link: named, device: 'iphone-safari' });
      expect(tap).toMatchObject({ link: { id: link.id }, opensApp: false, answer: { target: 'store' } });
      expect(tap.steps.length).toBeGreaterThan(1);
    }
    const { steps } = await call(reader, 'explain_tap', { link: link.id, installed: true });
    const detail = 'The app is installed, but phones open apps only from https links.';
    expect(steps).toContainEqual({ step: 'app', detail });

    expect((await call(writer, 'archive_link', { link: link.url })).link.archivedAt).not.toBeNull();
    expect((await call(writer, 'archive_link', { link: link.id, archived: false })).link.archivedAt).toBeNull();
    await system.settled();
    const { entries } = (await owner.send({ path: `/api/manage/links/${link.id}/history` })).json;
    expect(entries).toHaveLength(3);
    for (const { actor } of entries) expect(actor).toMatchObject({ kind: 'token', tokenId: writingId });
  });

  it('count events, and say why a first start got its link', async () => {
    const { link } = await call(writer, 'create_link', { appId: app.id, destination: '/tea' });
    const device = newDevice();
    const at = { ip: device.ip };
    await calls.tap(link.url, at);
    const given = await calls.restore({ app, key }, device.body, at);
    expect(given.json.restoredLinks).toHaveLength(1);
    await system.settled();

    const { restores } = await call(reader, 'restores', { appId: app.id, limit: 1 });
    expect(restores).toMatchObject([{ matchType: 'address', considered: [{ linkId: link.id, taken: true }] }]);
    expect(restores[0].summary).toMatch(/\w+ \w+/);

    const asked = { appId: app.id, metric: 'clicks', groupBy: 'link', filter: ['platform:android'] };
    const figures = await call(reader, 'analytics', asked);
    expect(figures).toMatchObject({
      total: 1,
      interval: 'total',
      groups: [{ value: link.id, name: '/tea', total: 1 }],
    });
  });

  it('check the set-up of an app, within the limit of the route', async () => {
    const { findings } = await call(reader, 'app_checks', { appId: app.id });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'https', state: 'warn', fix: expect.any(String) }),
    );
    for (let i = 1; i < CHECKS; i++) await call(reader, 'app_checks', { appId: app.id });
    const { code, retryAfterSeconds } = await refusal(call(reader, 'app_checks', { appId: app.id }));
    expect(code).toBe('RATE_LIMITED');
    expect(retryAfterSeconds).toBeGreaterThan(0);
  });

  it('pass on the errors of the routes, so that a model corrects itself', async () => {
    const wrong = (name: string, given: object) => refusal(call(writer, name, given));
    expect(await wrong('find_links', { appId: app.id, serach: '/x' })).toMatchObject({
      code: 'INVALID_REQUEST',
      error: 'serach is unknown: did you mean search?',
    });
    expect(await wrong('create_link', { appId: app.id, destination: 'https://evil.example' })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'destination' }],
    });
    const range = { from: '2026-11-02', to: '2026-11-01' };
    expect(await wrong('analytics', { appId: app.id, metric: 'clicks', ...range })).toMatchObject({
      code: 'RANGE_EMPTY',
      error: '`to` must be after `from`.',
    });
    expect(await wrong('analytics', { appId: app.id, metric: 'clicks', filter: ['colour:red'] })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'filter.0' }],
    });
    expect(await wrong('get_link', { link: randomUUID() })).toMatchObject({ code: 'LINK_NOT_FOUND' });
    await expect(writer.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow(
      'There is no tool drop_tables.',
    );
  });
});

describe('a caller', () => {
  it('with a token that only reads changes nothing', async () => {
    const { link } = await call(writer, 'create_link', { appId: app.id, destination: '/kept' });
    const links = async () => (await call(reader, 'find_links', { appId: app.id, limit: 100 })).links;
    const before = await links();
    for (const [name, given] of [
      ['create_link', { appId: app.id, destination: '/new' }],
      ['archive_link', { link: link.id }],
    ] as const)
      expect(await refusal(call(reader, name, given))).toMatchObject({
        code: 'FORBIDDEN',
        error: 'Your role, or the scope of your token, does not allow this.',
      });
    await system.settled();
    expect(await links()).toEqual(before);
  });

  it('without a role does not see the app, and not that it exists', async () => {
    const { link } = await call(writer, 'create_link', { appId: app.id, destination: '/secret' });
    const client = await connect(elsewhere);
    expect((await call(client, 'list_apps')).apps).toEqual([]);
    for (const given of [{ appId: app.id }, { appId: randomUUID() }])
      for (const [name, more] of [
        ['find_links', {}],
        ['restores', {}],
        ['analytics', { metric: 'clicks' }],
        ['create_link', { destination: '/x' }],
      ] as const)
        expect((await refusal(call(client, name, { ...given, ...more }))).code, name).toBe('APP_NOT_FOUND');
    for (const named of [link.id, link.url])
      for (const name of ['get_link', 'explain_tap', 'archive_link'])
        expect((await refusal(call(client, name, { link: named }))).code, name).toBe('LINK_NOT_FOUND');
  });

  it('without a token gets 401, also with the session of a browser', async () => {
    for (const cookie of ['', owner.cookie]) {
      const answer = await raw(rpc('tools/list'), { authorization: '', cookie });
      expectError(answer, 401, 'NOT_SIGNED_IN');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    const unknown = await raw(rpc('tools/list'), { authorization: `Bearer lf_${'0'.repeat(32)}` });
    expectError(unknown, 401, 'NOT_SIGNED_IN');
    expect(unknown.json.error).toBe('This token is unknown or has ended.');
    await expect(connect(`lf_${'0'.repeat(32)}`)).rejects.toThrow();
    const key = await raw(rpc('tools/list'), { authorization: `Bearer ol_${'0'.repeat(32)}` });
    expectError(key, 401, 'NOT_SIGNED_IN');
    expect(key.json.error).toContain('a key of an app');
  });
});

describe('a request', () => {
  it('from a page of another site gets 403', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:6274'])
      expectError(await raw(rpc('tools/list'), { origin }), 403, 'CROSS_SITE');
    expect((await raw(rpc('tools/list'), { origin: 'http://api.test' })).status).toBe(200);
    expectError(await raw(rpc('tools/list'), { host: 'evil.example' }), 404, 'NOT_FOUND');
  });

  it('is a POST of one message, in a version of the protocol that is known', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await system.send({ method, path: '/mcp', headers: { authorization: `Bearer ${reading}` } });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.allow).toBe('POST');
    }
    expectError(await raw([rpc('tools/list')]), 400, 'INVALID_REQUEST');
    const unknown = await raw(rpc('tools/list'), { 'mcp-protocol-version': '1999-01-01' });
    expect([unknown.status, unknown.json.jsonrpc]).toEqual([400, '2.0']);
    const told = await raw({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([told.status, told.text]).toEqual([202, '']);
  });

  it('keeps no session, and counts as one of the management API', async () => {
    const ip = freshIp();
    const asked = { ...post('/mcp', rpc('tools/list')), headers: { authorization: `Bearer ${reading}`, ...ACCEPTS } };
    const answer = await system.send({ ...asked, ip });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('finds nothing where the operator has switched it off', async () => {
    const without = await startSystem({ MCP: 'off' });
    try {
      const headers = { authorization: `Bearer ${without.ownerToken}`, ...ACCEPTS };
      expectError(await without.send({ ...post('/mcp', rpc('tools/list')), headers }), 404, 'NOT_FOUND');
    } finally {
      await without.stop();
    }
  });
});
