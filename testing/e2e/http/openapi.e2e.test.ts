// The OpenAPI document, its page and the health routes. The tests check the statements of the document against real
// answers.
import {
  type DnsServer,
  type FakesOfRun,
  fakesOfRun,
  freshIp,
  peopleOf,
  type Received,
  type Sent,
  type System,
  samePage,
  startDnsServer,
  startSystem,
  type TestApp,
  type TestPerson,
} from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestExamples } from '../../../services/console/src/openapi/examples.ts';
import { callsOf, fcmToken, newDevice, patch, post, put } from '../calls.ts';
import { type Operation, readDocument } from './document.ts';
import { follow, type Json, misfitIn } from './json-schema.ts';

let system: System;
let dns: DnsServer;
let fakes: FakesOfRun;
let calls: ReturnType<typeof callsOf>;
let document: Json;
let operations: Operation[];
beforeAll(async () => {
  dns = await startDnsServer({});
  fakes = await fakesOfRun();
  system = await startSystem({ ...fakes.env, DNS_SERVERS: dns.address });
  calls = callsOf(system);
  ({ document, operations } = await readDocument(system));
});
afterAll(async () => {
  await system?.stop();
  await dns?.stop();
  await fakes?.close();
});

const operation = (id: string) => operations.find((one) => one.id === id)!;

/** Yields every object in the document, with its place in it. */
function* objectsIn(value: unknown, place = '#'): Generator<[place: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value];
  for (const [key, child] of Object.entries(value)) yield* objectsIn(child, `${place}/${key}`);
}

/** A route that instance.e2e.test.ts of the web app tries, because it makes a dead letter. */
const NEEDS_A_DEAD_LETTER = 'replayDeadLetters';

describe('the document', () => {
  it('is OpenAPI 3.1 and says where the API is', async () => {
    const answer = await system.send({ path: '/openapi.json' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: expect.any(String) },
      servers: [{ url: 'http://api.test' }],
    });
  });

  it('has every route of the specification and of the management API, and no others', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /api/manage/apps/{appId}/devices/{deviceId}',
      'DELETE /api/manage/apps/{appId}/domains/{domainId}',
      'DELETE /api/manage/apps/{appId}/identity-secrets/{secretId}',
      'DELETE /api/manage/apps/{appId}/keys/{keyId}',
      'DELETE /api/manage/apps/{appId}/logo',
      'DELETE /api/manage/apps/{appId}/push-providers/{kind}',
      'DELETE /api/manage/me/sessions',
      'DELETE /api/manage/me/sessions/{sessionId}',
      'DELETE /api/manage/me/tokens/{tokenId}',
      'DELETE /api/manage/owner-tokens/{tokenId}',
      'DELETE /api/manage/session',
      'DELETE /api/manage/teams/{teamId}',
      'DELETE /api/manage/teams/{teamId}/invitations/{invitationId}',
      'DELETE /api/manage/teams/{teamId}/members/{userId}',
      'DELETE /api/manage/teams/{teamId}/tokens/{tokenId}',
      'GET /api/address',
      'GET /api/links/get-by-slug',
      'GET /api/manage/apps',
      'GET /api/manage/apps/{appId}',
      'GET /api/manage/apps/{appId}/analytics',
      'GET /api/manage/apps/{appId}/analytics/cohorts',
      'GET /api/manage/apps/{appId}/analytics/export',
      'GET /api/manage/apps/{appId}/analytics/funnel',
      'GET /api/manage/apps/{appId}/analytics/referrals',
      'GET /api/manage/apps/{appId}/checks',
      'GET /api/manage/apps/{appId}/devices',
      'GET /api/manage/apps/{appId}/devices/{deviceId}',
      'GET /api/manage/apps/{appId}/domains',
      'GET /api/manage/apps/{appId}/events',
      'GET /api/manage/apps/{appId}/identity-secrets',
      'GET /api/manage/apps/{appId}/keys',
      'GET /api/manage/apps/{appId}/keys/{keyId}/usage',
      'GET /api/manage/apps/{appId}/links',
      'GET /api/manage/apps/{appId}/links/export',
      'GET /api/manage/apps/{appId}/live',
      'GET /api/manage/apps/{appId}/matching',
      'GET /api/manage/apps/{appId}/notifications',
      'GET /api/manage/apps/{appId}/push-providers',
      'GET /api/manage/apps/{appId}/restores',
      'GET /api/manage/apps/{appId}/usage',
      'GET /api/manage/audit',
      'GET /api/manage/audit/export',
      'GET /api/manage/dead-letters',
      'GET /api/manage/explain',
      'GET /api/manage/explain/devices',
      'GET /api/manage/explain/open',
      'GET /api/manage/explain/page',
      'GET /api/manage/gateway',
      'GET /api/manage/groups',
      'GET /api/manage/links/{linkId}',
      'GET /api/manage/links/{linkId}/explain',
      'GET /api/manage/links/{linkId}/history',
      'GET /api/manage/me',
      'GET /api/manage/me/sessions',
      'GET /api/manage/me/tokens',
      'GET /api/manage/notifications/{notificationId}',
      'GET /api/manage/notifications/{notificationId}/deliveries',
      'GET /api/manage/owner-tokens',
      'GET /api/manage/people',
      'GET /api/manage/set-up',
      'GET /api/manage/sign-in/oidc',
      'GET /api/manage/sign-in/oidc/callback',
      'GET /api/manage/teams',
      'GET /api/manage/teams/{teamId}',
      'GET /api/manage/teams/{teamId}/audit',
      'GET /api/manage/teams/{teamId}/audit/export',
      'GET /api/manage/teams/{teamId}/members',
      'GET /api/manage/teams/{teamId}/tokens',
      'PATCH /api/manage/apps/{appId}',
      'PATCH /api/manage/links/{linkId}',
      'PATCH /api/manage/me',
      'PATCH /api/manage/notifications/{notificationId}',
      'PATCH /api/manage/teams/{teamId}',
      'PATCH /api/manage/teams/{teamId}/members/{userId}',
      'POST /api/deferred-deep-linking/install-heartbeat',
      'POST /api/deferred-deep-linking/restore',
      'POST /api/deferred-deep-linking/store',
      'POST /api/links/create-bulk',
      'POST /api/links/create-sdk',
      'POST /api/manage/apps',
      'POST /api/manage/apps/{appId}/checks',
      'POST /api/manage/apps/{appId}/domains',
      'POST /api/manage/apps/{appId}/domains/{domainId}/verify',
      'POST /api/manage/apps/{appId}/identity-secrets',
      'POST /api/manage/apps/{appId}/keys',
      'POST /api/manage/apps/{appId}/keys/{keyId}/rotate',
      'POST /api/manage/apps/{appId}/links',
      'POST /api/manage/apps/{appId}/links/import',
      'POST /api/manage/apps/{appId}/matching/what-if',
      'POST /api/manage/apps/{appId}/notifications/audience',
      'POST /api/manage/apps/{appId}/push-providers/{kind}/resume',
      'POST /api/manage/apps/{appId}/transfer',
      'POST /api/manage/dead-letters/replay',
      'POST /api/manage/invitations/accept',
      'POST /api/manage/invitations/join',
      'POST /api/manage/invitations/look',
      'POST /api/manage/me/password',
      'POST /api/manage/me/tokens',
      'POST /api/manage/notifications/{notificationId}/cancel',
      'POST /api/manage/notifications/{notificationId}/stop',
      'POST /api/manage/owner-tokens',
      'POST /api/manage/password',
      'POST /api/manage/people/reset-password',
      'POST /api/manage/session',
      'POST /api/manage/set-up',
      'POST /api/manage/teams',
      'POST /api/manage/teams/{teamId}/invitations',
      'POST /api/push/opened',
      'POST /api/push/register',
      'POST /api/push/send',
      'POST /api/push/unregister',
      'PUT /api/manage/apps/{appId}/logo',
      'PUT /api/manage/apps/{appId}/plan',
      'PUT /api/manage/apps/{appId}/push-providers/{kind}',
    ]);
  });

  it('is sound: names are unique, references lead somewhere, parameters and tags are declared', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map((tag: Json) => tag.name);
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { path, definition } of operations) {
      expect(definition.summary).toMatch(/\w/);
      for (const tag of definition.tags) expect(tags).toContain(tag);
      for (const choice of definition.security) for (const name of Object.keys(choice)) expect(schemes).toContain(name);
      const inPath = (definition.parameters ?? []).filter((one: Json) => one.in === 'path');
      expect(inPath.map((one: Json) => one.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const one of inPath) expect(one.required).toBe(true);
      for (const response of Object.values<Json>(definition.responses)) expect(response.description).toMatch(/\w/);
    }
    for (const [place, { $ref }] of objectsIn(document)) {
      if (typeof $ref === 'string') expect(follow(document, $ref), place).toBeTypeOf('object');
    }
  });

  it('has schemas of known keywords, and patterns that compile', () => {
    const misfit = misfitIn(document);
    const schemas = operations.flatMap(({ definition }) => [
      ...(definition.parameters ?? []).map((one: Json) => one.schema),
      ...[definition.requestBody ?? [], Object.values<Json>(definition.responses)]
        .flat()
        .flatMap((one) => Object.values<Json>(one.content ?? {}))
        .map(({ schema }) => schema),
    ]);
    for (const schema of schemas) expect(misfit(schema, Symbol('nothing')), JSON.stringify(schema)).toMatch(/must/);
    for (const [place, { pattern }] of objectsIn(document)) {
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u'), place).not.toThrow();
    }
  });

  it('asks for a key where the specification does, and for none else', () => {
    const securityOf = (id: string) => operation(id).definition.security;
    const key = [{ sdkKey: [] }, { sdkKeyBearer: [] }];
    for (const id of [
      'createLink',
      'createLinks',
      'restoreLinks',
      'recordHeartbeat',
      'storePendingLink',
      'registerDevice',
      'recordOpen',
    ])
      expect(securityOf(id)).toEqual(key);
    expect(securityOf('getLinkBySlug')).toEqual([{}, ...key]);
  });

  it('says of each route of the management API whom it serves, and what it tells the others', () => {
    const open = new Set([
      'getSetUp',
      'setUp',
      'signIn',
      'lookAtInvitation',
      'joinByInvitation',
      'choosePassword',
      'goToProvider',
      'returnFromProvider',
      'explainUrl',
      'explainPage',
      'openExplanation',
      'listTryDevices',
    ]);
    /** Open to strangers only where an app allows it. */
    const openForSome = new Set(['explainUrl', 'explainPage']);
    for (const { path, method, id, definition } of operations.filter(({ path }) =>
      /^\/api\/(manage|push\/send)/.test(path),
    )) {
      expect(definition.description, path).toMatch(/^Needs .+\.$/);
      const alone = [[{ session: [] }], [{ session: [] }, { token: [] }], [{ token: [] }]];
      expect(open.has(id) ? [[]] : alone, path).toContainEqual(definition.security);
      const codes = JSON.stringify(definition.responses);
      expect(codes.includes('NOT_SIGNED_IN'), path).toBe(!open.has(id) || openForSome.has(id));
      expect(codes.includes('CROSS_SITE'), path).toBe(method !== 'GET');
      for (const thing of ['app', 'team', 'link', 'notification'])
        if (path.includes(`{${thing}Id}`)) expect(codes, path).toContain(`${thing.toUpperCase()}_NOT_FOUND`);
    }
    expect(document.components.securitySchemes.session).toMatchObject({ in: 'cookie', name: 'landfall' });
    expect(operation('sendPush').definition.description).toBe(
      'Needs the role member in the team of the app that the body names.',
    );
    expect(operation('getApp').definition.description).toBe('Needs the role viewer in the team of the app.');
    expect(operation('transferApp').definition.description).toBe(
      'Needs the role owner in the team of the app, and the role owner in the team that the body names.',
    );
  });

  it('names the statuses of spec 4.2 and 7 for a create', () => {
    expect(operation('createLink').statuses).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 429, 500]));
    for (const { statuses, redirects } of operations)
      expect(statuses).toEqual(expect.arrayContaining([redirects ? 302 : 200, 405, 429, 500, 503]));
  });
});

describe('what it says of answers', () => {
  let app: TestApp;
  let link: { id: string; slug: string; url: string };
  let answers: Map<string, Received>;

  /** Makes one successful call for each operation, and records the body that was sent. */
  beforeAll(async () => {
    app = await system.makeApp({ ios: { storeId: '1' } });
    const appPath = `/api/manage/apps/${app.app.id}`;
    const figures = `${appPath}/analytics`;
    const ip = freshIp();
    const sent = new Map<string, unknown>();
    const manage = (id: string, request: Parameters<System['manage']>[0]) => {
      if (request.body !== undefined) sent.set(id, request.body);
      return system.manage(request);
    };
    const made = { destination: '/a?x=1&utm_source=y', metadata: { a: [1, { b: null }] }, appId: app.app.id };
    sent.set('createLink', made);
    const created = await calls.create(app, made);
    link = created.json.link;
    await calls.tap(link.url, { ip });
    const device = newDevice();
    sent.set('restoreLinks', device.body);
    sent.set('recordHeartbeat', device.body);
    const stored = { linkId: link.id, originalUrl: link.url, userEmail: 'a@example.com', deviceFingerprint: 'f' };
    sent.set('storePendingLink', stored);
    const key = await manage('createKey', post(`${appPath}/keys`, { label: 'x' }));
    const keyPath = `${appPath}/keys/${key.json.key.id}`;
    const rotated = await manage('rotateKey', post(`${keyPath}/rotate`, { overlapSeconds: 60, label: 'y' }));
    const server = await system.manage(post(`${appPath}/keys`, { kind: 'server' }));
    const secretsPath = `${appPath}/identity-secrets`;
    const secret = await manage('makeIdentitySecret', post(secretsPath, { overlapSeconds: 60 }));
    const secretPath = `${secretsPath}/${secret.json.secret.id}`;
    // The second create repeats the idempotency key of the first one, so one link is created and one is not.
    const many = { links: ['/a', '/b'].map((destination) => ({ destination, idempotencyKey: 'same' })) };
    sent.set('createLinks', many);
    const domain = await manage('addDomain', post(`${appPath}/domains`, { domain: 'go.openapi.example' }));
    const { record } = domain.json.domain;
    dns.records[record.name] = { TXT: [record.value] };
    const domainPath = `${appPath}/domains/${domain.json.domain.id}`;
    const owners = '/api/manage/owner-tokens';
    const ownerToken = await manage(
      'createOwnerToken',
      post(owners, { label: 'x', expiresAt: '2030-01-01T00:00:00Z' }),
    );
    const tapped = new URLSearchParams({ link: link.url, device: 'slack-preview' });
    answers = new Map([
      ['addDomain', domain],
      ['verifyDomain', await manage('verifyDomain', post(`${domainPath}/verify`, undefined))],
      ['listDomains', await manage('listDomains', { path: `${appPath}/domains` })],
      ['removeDomain', await manage('removeDomain', { method: 'DELETE', path: domainPath })],
      ['createOwnerToken', ownerToken],
      ['listOwnerTokens', await manage('listOwnerTokens', { path: owners })],
      [
        'revokeOwnerToken',
        await manage('revokeOwnerToken', { method: 'DELETE', path: `${owners}/${ownerToken.json.token.id}` }),
      ],
      ['listInstanceAudit', await manage('listInstanceAudit', { path: '/api/manage/audit?limit=3' })],
      ['createLink', created],
      ['createLinks', await system.sdk({ ...app, key: server.json.plaintext }, post('/api/links/create-bulk', many))],
      ['rotateKey', rotated],
      ['getKeyUsage', await manage('getKeyUsage', { path: `${keyPath}/usage` })],
      ['getUsage', await manage('getUsage', { path: `${appPath}/usage?month=2026-11` })],
      [
        'getAnalytics',
        await manage('getAnalytics', { path: `${figures}?metric=clicks&groupBy=link&compare=previous` }),
      ],
      ['exportAnalytics', await manage('exportAnalytics', { path: `${figures}/export?metric=clicks` })],
      ['getFunnel', await manage('getFunnel', { path: `${figures}/funnel?groupBy=link` })],
      ['getCohorts', await manage('getCohorts', { path: `${figures}/cohorts` })],
      ['getReferrals', await manage('getReferrals', { path: `${figures}/referrals?label=inviter` })],
      ['listEvents', await manage('listEvents', { path: `${appPath}/events?limit=5` })],
      ['streamLive', await manage('streamLive', { path: `${appPath}/live` })],
      ['getLinkBySlug', await calls.resolve({ slug: link.slug, appId: app.app.id })],
      ['recordHeartbeat', await calls.heartbeat(app, device.body, { ip })],
      ['proveAddress', await system.sdk(app, { path: '/api/address', ip: '2001:db8:7::1' })],
      ['restoreLinks', await calls.restore(app, device.body, { ip })],
      ['storePendingLink', await calls.store(app, stored)],
      [
        'createApp',
        await manage(
          'createApp',
          post('/api/manage/apps', { name: 'x', subdomain: `o${crypto.randomUUID().slice(0, 8)}` }),
        ),
      ],
      ['listApps', await manage('listApps', { path: '/api/manage/apps?limit=1' })],
      ['getApp', await manage('getApp', { path: appPath })],
      ['updateApp', await manage('updateApp', patch(appPath, { ios: { teamId: 'ABCDE12345' }, name: 'y' }))],
      ['setPlan', await manage('setPlan', put(`${appPath}/plan`, { name: 'x', linksPerMonth: 9 }))],
      ['setLogo', await manage('setLogo', put(`${appPath}/logo`, requestExamples.setLogo))],
      ['removeLogo', await manage('removeLogo', { method: 'DELETE', path: `${appPath}/logo` })],
      ['makeIdentitySecret', secret],
      ['listIdentitySecrets', await manage('listIdentitySecrets', { path: secretsPath })],
      ['removeIdentitySecret', await manage('removeIdentitySecret', { method: 'DELETE', path: secretPath })],
      ['createKey', key],
      ['listKeys', await manage('listKeys', { path: `${appPath}/keys` })],
      ['revokeKey', await manage('revokeKey', { method: 'DELETE', path: `${appPath}/keys/${key.json.key.id}` })],
      ['listLinks', await manage('listLinks', { path: `${appPath}/links?state=live&search=/` })],
      [
        'createManagedLink',
        await manage(
          'createManagedLink',
          post(`${appPath}/links`, { destination: '/made', expiresAt: '2030-01-01T00:00:00Z' }),
        ),
      ],
      ['getLink', await manage('getLink', { path: `/api/manage/links/${link.id}` })],
      [
        'editLink',
        await manage('editLink', patch(`/api/manage/links/${link.id}`, { expiresAt: '2030-01-01T00:00:00+01:00' })),
      ],
      ['getLinkHistory', await manage('getLinkHistory', { path: `/api/manage/links/${link.id}/history` })],
      ['explainLink', await manage('explainLink', { path: `/api/manage/links/${link.id}/explain` })],
      ['explainUrl', await manage('explainUrl', { path: `/api/manage/explain?${tapped}` })],
      ['explainPage', await manage('explainPage', { path: `/api/manage/explain/page?${tapped}` })],
      ['listTryDevices', await manage('listTryDevices', { path: '/api/manage/explain/devices' })],
      ['listRestores', await manage('listRestores', { path: `${appPath}/restores` })],
      ['getMatching', await manage('getMatching', { path: `${appPath}/matching` })],
      [
        'whatIfMatching',
        await manage('whatIfMatching', post(`${appPath}/matching/what-if`, { matching: { windowMinutes: 60 } })),
      ],
      ['checkHostsNow', await manage('checkHostsNow', post(`${appPath}/checks`, undefined))],
      ['checkApp', await manage('checkApp', { path: `${appPath}/checks` })],
      [
        'importLinks',
        await manage(
          'importLinks',
          post(`${appPath}/links/import`, { links: [{ destination: '/x', expiresAt: '2030-01-01T00:00:00Z' }] }),
        ),
      ],
      ['exportLinks', await manage('exportLinks', { path: `${appPath}/links/export` })],
      ...(await pushAnswers(sent)),
      ['seeGateway', await manage('seeGateway', { path: '/api/manage/gateway' })],
      ['listGroups', await manage('listGroups', { path: '/api/manage/groups' })],
      ['listDeadLetters', await manage('listDeadLetters', { path: '/api/manage/dead-letters' })],
      ...(await peoplesAnswers(sent)),
    ]);
    for (const { id, definition } of operations)
      if (id !== NEEDS_A_DEAD_LETTER) expect(Boolean(definition.requestBody), id).toBe(sent.has(id));
    for (const [id, body] of sent) expect(operation(id).takes(body), id).toBe(true);
  });

  async function pushAnswers(sent: Map<string, unknown>): Promise<Map<string, Received>> {
    const appPath = `/api/manage/apps/${app.app.id}`;
    const done = new Map<string, Received>();
    const as = async (id: string, request: Sent, by = system.manage) => {
      if (request.body !== undefined) sent.set(id, request.body);
      done.set(id, await by(request));
      await system.settled();
      return done.get(id)!.json;
    };
    const phone = (request: Sent) => system.sdk(app, request);
    const deviceToken = fcmToken();
    const registration = {
      deviceToken,
      platform: 'ios',
      userEmail: 'a@push.example',
      environment: 'sandbox',
      language: 'de',
    };
    await as('registerDevice', post('/api/push/register', registration), phone);
    const target = { platform: 'ios', userEmails: ['a@push.example'], deviceTokens: [deviceToken], seenWithinDays: 3 };
    const { notificationId } = await as(
      'sendPush',
      post('/api/push/send', {
        ...{
          appId: app.app.id,
          title: 'A',
          body: 'B',
          target,
          scheduleAt: '2026-12-01T00:00:00+01:00',
          ttlSeconds: 60,
        },
        ...{ destinationPath: '/a?b=1', metadata: { a: 'b', c: 1, d: true }, imageUrl: 'https://cdn.example/a.png' },
        ...{ sound: 'default', badge: 0, collapseKey: 'a', dryRun: false, idempotencyKey: 'a-1' },
        ...{ priority: 'normal', silent: false, category: 'a', mutableContent: true },
        ios: { title: 'I', interruptionLevel: 'active', sound: 'b' },
        android: { body: 'D', channelId: 'c' },
        localized: { 'de-at': { title: 'A' } },
      }),
    );
    await as('listNotifications', { path: `${appPath}/notifications?limit=1` });
    await as('countAudience', post(`${appPath}/notifications/audience`, { target: { all: true } }));
    await as('getNotification', { path: `/api/manage/notifications/${notificationId}` });
    await as(
      'editPush',
      patch(`/api/manage/notifications/${notificationId}`, {
        ...{ title: 'C', sound: null, localized: { de: { body: 'D' } }, target: { all: true } },
        ...{ scheduleAt: '2026-12-02T00:00:00+01:00', ttlSeconds: 90 },
      }),
    );
    await as('cancelPush', { method: 'POST', path: `/api/manage/notifications/${notificationId}/cancel` });
    await as('stopPush', { method: 'POST', path: `/api/manage/notifications/${notificationId}/stop` });
    const deliveries = `/api/manage/notifications/${notificationId}/deliveries`;
    await as('listDeliveries', { path: `${deliveries}?userEmail=a@push.example&limit=1` });
    const { devices } = await as('listDevices', { path: `${appPath}/devices?userEmail=a@push.example` });
    const ofDevice = `${appPath}/devices/${devices[0].id}`;
    await as('getDevice', { path: `${ofDevice}?limit=1` });
    await as('recordOpen', post('/api/push/opened', { notificationId, deviceToken }), phone);
    await as('unregisterDevice', post('/api/push/unregister', { deviceToken }), phone);
    await as('deleteDevice', { method: 'DELETE', path: ofDevice });
    const provider = `${appPath}/push-providers/apns`;
    await as('setPushProvider', put(provider, await fakes.newAppleKey()));
    await as('listPushProviders', { path: `${appPath}/push-providers` });
    await as('resumePushProvider', { method: 'POST', path: `${provider}/resume` });
    await as('removePushProvider', { method: 'DELETE', path: provider });
    return done;
  }

  /** Returns the answers of routes that only people call, or whose subject is a person. */
  async function peoplesAnswers(sent: Map<string, unknown>): Promise<Map<string, Received>> {
    const people = peopleOf(system);
    const done = new Map<string, Received>();
    const as = async (id: string, by: Pick<TestPerson, 'send'>, request: Sent) => {
      if (request.body !== undefined) sent.set(id, request.body);
      done.set(id, await by.send(request));
      await system.settled();
      return done.get(id)!.json;
    };
    const del = (path: string): Sent => ({ method: 'DELETE', path });
    const page = { send: (request: Sent) => system.send({ ...request, headers: samePage }) };
    const me = '/api/manage/me';
    const [email, password] = [people.newEmail(), people.newPassword()];
    await as('getSetUp', page, { path: '/api/manage/set-up' });
    const setUp = { code: await system.offerSetUp(), email, password, name: 'First', teamName: 'Lemons' };
    await as('setUp', page, post('/api/manage/set-up', setUp));
    await as('signIn', page, post('/api/manage/session', { email, password }));
    const first = people.signedIn(done.get('signIn')!, password);
    const { teams } = await as('getMe', first, { path: me });
    const teamPath = `/api/manage/teams/${teams[0].id}`;
    await as('renameMe', first, patch(me, { name: 'Ada' }));

    await as('listTeams', first, { path: '/api/manage/teams' });
    await as('getTeam', first, { path: teamPath });
    await as('renameTeam', first, patch(teamPath, { name: 'Limes' }));
    const { team: second } = await as('createTeam', first, post('/api/manage/teams', { name: 'Second' }));
    const inviting = () => post(`${teamPath}/invitations`, { email: people.newEmail(), role: 'viewer' });
    const code = (await as('invite', first, inviting())).code;
    await as('lookAtInvitation', page, post('/api/manage/invitations/look', { code }));
    const joining = { code, name: 'Bob', password: people.newPassword() };
    await as('joinByInvitation', page, post('/api/manage/invitations/join', joining));
    const bob = people.signedIn(done.get('joinByInvitation')!, joining.password);
    const unused = (await as('invite', first, inviting())).invitation;
    await as('listMembers', first, { path: `${teamPath}/members` });
    await as('revokeInvitation', first, del(`${teamPath}/invitations/${unused.id}`));
    const toSecond = post(`/api/manage/teams/${second.id}/invitations`, { email: bob.email, role: 'owner' });
    const accepted = (await as('invite', first, toSecond)).code;
    await as('acceptInvitation', bob, post('/api/manage/invitations/accept', { code: accepted }));
    await as('setRole', first, patch(`${teamPath}/members/${bob.id}`, { role: 'admin' }));
    const moving = await as('createApp', first, {
      ...post('/api/manage/apps', { name: 'x', subdomain: `o${crypto.randomUUID().slice(0, 8)}`, teamId: second.id }),
    });
    const transfer = post(`/api/manage/apps/${moving.app.id}/transfer`, { teamId: teams[0].id });
    await as('transferApp', first, transfer);
    await as('listPeople', first, { path: '/api/manage/people?limit=2' });
    const operator = { send: system.manage };
    const reset = await as('resetPassword', operator, post('/api/manage/people/reset-password', { email: bob.email }));
    const chosen = { code: reset.code, password: people.newPassword() };
    await as('choosePassword', page, post('/api/manage/password', chosen));
    await as('deleteTeam', first, del(`/api/manage/teams/${second.id}`));
    await as('removeMember', first, del(`${teamPath}/members/${bob.id}`));

    const making = post(`${me}/tokens`, { teamId: teams[0].id, scope: 'read', expiresAt: '2030-01-01T00:00:00+01:00' });
    const { token } = await as('createToken', first, making);
    await as('listMyTokens', first, { path: `${me}/tokens` });
    await as('listTeamTokens', first, { path: `${teamPath}/tokens` });
    await as('revokeMyToken', first, del(`${me}/tokens/${token.id}`));
    const other = await as('createToken', first, making);
    await as('revokeTeamToken', first, del(`${teamPath}/tokens/${other.token.id}`));
    await as('listAudit', first, { path: `${teamPath}/audit?limit=3` });
    await as('exportAudit', first, { path: `${teamPath}/audit/export` });
    await as('exportInstanceAudit', first, { path: '/api/manage/audit/export?format=csv' });

    const { sessions } = await as('listSessions', first, { path: `${me}/sessions` });
    const old = sessions.find((one: { current: boolean }) => !one.current);
    await as('endSession', first, del(`${me}/sessions/${old.id}`));
    await as('endOtherSessions', first, del(`${me}/sessions`));
    const next = people.newPassword();
    await as('changePassword', first, post(`${me}/password`, { current: password, next }));
    await as('signOut', people.signedIn(done.get('changePassword')!, next), del('/api/manage/session'));
    return done;
  }

  it('holds for one that works, of every route', () => {
    // The redirecting routes need an OpenID Connect provider: oidc.e2e.test.ts has one.
    const answering = operations.filter(({ id, redirects }) => !redirects && id !== NEEDS_A_DEAD_LETTER);
    expect([...answers.keys()].sort()).toEqual(answering.map(({ id }) => id).sort());
    for (const { id, check } of answering) {
      const answer = answers.get(id)!;
      expect(answer.status, `${id} ${answer.text}`).toBe(200);
      check(answer);
    }
    expect(answers.get('restoreLinks')!.json.count).toBe(1);
    expect(answers.get('listRestores')!.json.restores).toHaveLength(1);
    expect(answers.get('listApps')!.json.next).toEqual(expect.any(String));
  });

  it('would not hold for another', () => {
    const { check } = operation('createLink');
    const answer = answers.get('createLink')!;
    const changed = (change: object) => ({
      ...answer,
      json: { ...answer.json, link: { ...answer.json.link, ...change } },
    });
    for (const change of [{ id: 'x' }, { slug: 1 }, { url: undefined }, { metadata: [] }, { more: 1 }])
      expect(() => check(changed(change)), JSON.stringify(change)).toThrow();
    expect(() => check({ ...answer, json: { ...answer.json, success: false } })).toThrow();
    expect(() => check({ ...answer, status: 201 })).toThrow();
  });

  it('holds for a refusal of every route', async () => {
    for (const { method, path, definition, check } of operations) {
      // A body on a route without one would be read as the start of another request.
      const body = (one: object) => (definition.requestBody ? { body: one } : {});
      const at = path.replace(/\{\w+\}/g, crypto.randomUUID());
      check(await system.send({ method, path: at }));
      check(
        await system.send({
          method,
          path: at,
          headers: { authorization: `Bearer ${system.ownerToken}`, 'x-service-sdk-key': app.key },
        }),
      );
      check(await system.manage({ method, path: path.replace(/\{\w+\}/g, 'x'), ...body({ destination: 1, name: 1 }) }));
      check(await system.sdk(app, { method, path: at, ...body({ destination: 1, linkId: crypto.randomUUID() }) }));
    }
  });

  it('holds for a used-up plan', async () => {
    const limited = await system.makeApp({}, 0);
    const answer = await calls.create(limited, { destination: '/a' });
    expect(answer.status).toBe(403);
    operation('createLink').check(answer);
  });
});

describe('what it says of bodies', () => {
  it('is what is done', async () => {
    const app = await system.makeApp();
    const tried: [id: string, send: typeof calls.create, bodies: unknown[]][] = [
      [
        'createLink',
        calls.create,
        [
          {},
          { destination: '/' },
          { destination: 'a' },
          { destination: '//a' },
          { destination: '/a\\' },
          { destination: '/', metadata: null },
          { destination: '/', metadata: [] },
          { destination: '/', metadata: {} },
          { destination: '/', other: 1 },
          [],
          null,
          'x',
          { destination: `/${'x'.repeat(2048)}` },
        ],
      ],
      [
        'restoreLinks',
        calls.restore,
        [
          {},
          { userEmail: 'x' },
          { userEmail: ' ' },
          { deviceFingerprint: 'x' },
          { deviceFingerprint: '' },
          { installReferrer: '' },
          { userEmail: 'x', deviceFingerprint: 1 },
          { appId: 1 },
          { userEmail: 'x'.repeat(321) },
        ],
      ],
      [
        'recordHeartbeat',
        calls.heartbeat,
        [
          {},
          { deviceFingerprint: 'x' },
          { deviceFingerprint: '' },
          { deviceFingerprint: null },
          { deviceFingerprint: 'x', appId: null },
        ],
      ],
      [
        'storePendingLink',
        calls.store,
        [
          {},
          { linkId: 'x' },
          { linkId: 1 },
          { linkId: crypto.randomUUID() },
          { linkId: crypto.randomUUID(), userEmail: '' },
          { linkId: crypto.randomUUID(), originalUrl: 'x'.repeat(4097) },
        ],
      ],
    ];
    const json = { headers: { 'content-type': 'application/json' } };
    for (const [id, send, bodies] of tried) {
      for (const body of bodies) {
        const { status, text } = await send(app, JSON.stringify(body), json);
        expect(status === 400, `${id} ${JSON.stringify(body)?.slice(0, 80)} ${text}`).toBe(!operation(id).takes(body));
      }
    }
  });
});

describe('its page', () => {
  it('tells a program, and a browser without the web app, where the document is', async () => {
    expect(await system.send({ path: '/' })).toMatchObject({ status: 302, headers: { location: '/docs' } });
    const page = await system.send({ path: '/docs' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect([...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url)).toEqual(['/openapi.json']);
  });
});

describe('health', () => {
  it('lives', async () => {
    const answer = await system.send({ path: '/livez' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'alive' } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is ready, and says what it needs by name', async () => {
    const answer = await system.send({ path: '/readyz' });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json.status).toBe('ready');
    for (const name of ['bus', 'gateway']) expect(answer.json.checks[name]).toMatchObject({ ok: true });
    for (const check of Object.values<Json>(answer.json.checks)) expect(check.ok).toBe(true);
    expect(answer.text).not.toMatch(/postgres(ql)?:\/\//);
  });
});
