// Calls every route of the management API, and the route that sends a push, as every kind of caller. The list of routes
// comes from the gateway, so the tests cover new routes, too. The rights that each route needs come from the route
// table. This file states the meaning of these rights a second time, independently.
import { randomUUID } from 'node:crypto';
import { isManage, type ManageRoute, type Need, needsList, routeGroups } from '@landfall/console';
import type { Named } from '@landfall/http';
import { fakesOfRun, peopleOf, type Received, readTables, type Sent, samePage, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requestExamples } from '../../../services/console/src/openapi/examples.ts';
import { del, expectErrorForm, fcmToken, post, put, systemOfFile } from '../calls.ts';
import { exampleOf } from '../http/example-of.ts';

const fakes = await fakesOfRun();
afterAll(() => fakes.close());
const credentials = await fakes.newAppleKey();
const { system } = await systemOfFile(fakes.env);
const people = peopleOf(system);
const { setUp, makeTeam, join, signIn, makeToken } = people;

async function must(sent: Promise<Received>): Promise<Received> {
  const answer = await sent;
  expect(answer.status, answer.text).toBe(200);
  await system.settled();
  return answer;
}
/** Scheduled for later, so that a test can cancel it. */
const pushTo = (appId: string | undefined) => ({
  ...{ appId, title: 'title-of-everything', body: 'of everything', target: { all: true } },
  scheduleAt: new Date(system.clock() + 30 * 86_400_000).toISOString(),
});

const owned = await setUp();
const someOwner = await join(owned, owned.teamId, 'owner');
// The later clock advance ends this session: sessions end after 14 days without use.
const expired = await signIn(someOwner);
// This call puts the session into the cache of a gateway.
await must(expired.send({ path: '/api/manage/me' }));
system.clock.advance({ days: 20 });
const owner = await signIn(someOwner);
/** Owns the installation, and a team that no test here uses. */
const first = await signIn(owned);
const teamId = await makeTeam(owner, 'The team of everything');
/** The members of the team that owns all test data of this file. */
const staff = {
  viewer: await join(owner, teamId, 'viewer'),
  member: await join(owner, teamId, 'member'),
  admin: await join(owner, teamId, 'admin'),
  owner,
};
const signedOut = await signIn(owner);
await must(signedOut.send(del('/api/manage/session')));
/** Cookies of two ended sessions of the owner. */
const gone = { expired: expired.cookie, signedOut: signedOut.cookie };
/** Owns another team. */
let stranger = await join(first, owned.teamId, 'viewer');
for (const one of [owner, stranger]) await must(one.send(del(`/api/manage/teams/${owned.teamId}/members/${one.id}`)));
const strangersTeam = await makeTeam(stranger, 'Another team');

const subdomain = `x${randomUUID().slice(0, 8)}`;
const made = await must(owner.send(post('/api/manage/apps', { teamId, name: 'App of everything', subdomain })));
const appPath = `/api/manage/apps/${made.json.app.id}`;
const key = await must(owner.send(post(`${appPath}/keys`, { label: 'key of everything' })));
const app: TestApp = { app: made.json.app, key: key.json.plaintext };
const link = await system.makeLink(app, '/destination-of-everything');
/** Belongs to this team only, so a test may remove this person from the team. */
const spare = await join(owner, teamId, 'viewer');
const invitation = { email: people.newEmail(), role: 'viewer' };
const invited = await must(owner.send(post(`/api/manage/teams/${teamId}/invitations`, invitation)));
const push = await must(owner.send(post('/api/push/send', pushTo(app.app.id))));
await must(owner.send(put(`${appPath}/push-providers/apns`, credentials)));
await must(system.sdk(app, post('/api/push/register', { deviceToken: fcmToken(), platform: 'android' })));
const devices = await must(owner.send({ path: `${appPath}/devices` }));
const read = await makeToken(owner, teamId, 'read');
const tokens = {
  read: read.token,
  write: (await makeToken(owner, teamId, 'write')).token,
  stranger: (await makeToken(stranger, strangersTeam, 'write')).token,
};
const domain = await must(owner.send(post(`${appPath}/domains`, { domain: 'everything.example' })));
const sessions = await must((await signIn(owner)).send({ path: '/api/manage/me/sessions' }));
const secret = await must(owner.send(post(`${appPath}/identity-secrets`, {})));
const template = await must(owner.send(post(`${appPath}/utm-templates`, { name: 'x', utm: { source: 'y' } })));
const shared = await must(owner.send(post(`${appPath}/shares`, { name: 'of everything', view: {} })));
const views = post(`${appPath}/views`, { name: 'of everything', page: 'links', query: '' });
const view = await must(staff.viewer.send(views));
const slack = 'https://hooks.slack.example/services/of-everything';
const channel = await must(owner.send(post(`${appPath}/channels`, { kind: 'slack', name: 'x', target: slack })));
const report = await must(owner.send(post(`${appPath}/reports`, { name: 'x', every: 'week', channelIds: [] })));
// It is paused: a check would change its row during a test.
const rule = { name: 'x', metric: 'clicks', rule: 'silence', window: '1h', channelIds: [], paused: true };
const alert = await must(owner.send(post(`${appPath}/alerts`, rule)));
const world: Record<string, string> = {
  shareId: shared.json.share.id,
  viewId: view.json.view.id,
  templateId: template.json.template.id,
  channelId: channel.json.channel.id,
  alertId: alert.json.alert.id,
  reportId: report.json.report.id,
  secretId: secret.json.secret.id,
  teamId,
  appId: app.app.id,
  linkId: link.id,
  keyId: key.json.key.id,
  userId: spare.id,
  invitationId: invited.json.invitation.id,
  tokenId: read.id,
  domainId: domain.json.domain.id,
  sessionId: sessions.json.sessions.find((one: { current: boolean }) => one.current).id,
  notificationId: push.json.notificationId,
  deviceId: devices.json.devices[0].id,
  kind: 'apns',
  passkeyId: randomUUID(),
};

const nameOf = ({ method, path }: ManageRoute) => `${method} ${path}`;
const named = (routes: readonly Named<ManageRoute>[]) => routes.map((route) => [nameOf(route), route] as const);
/** The routes of viewers of a share are no member's. shares.e2e.test.ts tries them with every other caller. */
const groups = routeGroups
  .map(({ tag, routes }) => [tag, named(routes.filter(isManage).filter(({ needs }) => needs !== 'guest'))] as const)
  .filter(([, routes]) => routes.length > 0);

/**
 * Bodies for routes whose schema is too general to generate a good body from, for the ids in `things`. With a good
 * body, the route gets past the checks of the body, so the test reaches the checks after them.
 */
const bodies: Record<string, (things: Record<string, string>) => object> = {
  setLogo: () => ({
    image:
      'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAA1BMVEUaf1qV0savAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4y2NgGAWjYBSMAuwAAAQgAAFWu83mAAAAAElFTkSuQmCC',
  }),
  // With `archived: true`, the app would not exist for the next callers.
  updateApp: () => ({
    name: 'App of everything',
    webFallbackUrl: 'https://example.com/x',
    archived: false,
    identity: 'off',
  }),
  ...Object.fromEntries(
    ['takeSecondStep', 'signInByPasskey', 'confirmAuthenticatorApp', 'addPasskey'].map((name) => [
      name,
      () => requestExamples[name]!,
    ]),
  ),
  addDomain: () => ({ domain: 'another.everything.example' }),
  importLinks: () => ({ links: [{ destination: '/of-everything' }] }),
  editLinks: ({ linkId }) => ({ ids: [linkId], addTags: ['of-everything'] }),
  createUtmTemplate: () => ({ name: 'of everything', utm: { source: 'x' } }),
  changeUtmTemplate: () => ({ name: 'of everything' }),
  createShare: () => ({ name: 'of everything', view: {} }),
  changeShare: () => ({ name: 'of everything' }),
  createView: () => ({ name: 'of everything', page: 'links', query: '' }),
  changeView: () => ({ name: 'of everything' }),
  createChannel: () => ({ kind: 'slack', name: 'of everything', target: slack }),
  createAlert: () => ({ ...rule, name: 'of everything' }),
  changeAlert: () => ({ name: 'of everything' }),
  snoozeAlert: () => ({ hours: 1 }),
  createReport: () => ({ name: 'of everything', every: 'day', channelIds: [] }),
  changeReport: () => ({ name: 'of everything' }),
  createManagedLink: () => ({ destination: '/of-everything', metadata: { a: 1 } }),
  editLink: () => ({ destination: '/elsewhere', metadata: { a: 1 }, archived: true }),
  sendPush: ({ appId }) => pushTo(appId),
  editPush: () => ({ body: 'of everything else' }),
  countAudience: () => ({ target: { all: true } }),
  setPushProvider: () => credentials,
};

/** Queries of routes that need one. */
const queries: Record<string, string> = {
  getAnalytics: '?metric=clicks',
  exportAnalytics: '?metric=clicks',
  getBreakdowns: '?metric=clicks&dimension=country',
  exportBreakdown: '?metric=clicks&dimension=country',
  getReferrals: '?label=inviter',
  listCountedEvents: '?figure=clicks',
  exportCountedEvents: '?figure=clicks',
  search: '?q=everything',
};

/** Returns a request to the route with the ids in `things`. */
function requestTo(route: Named<ManageRoute>, things: Record<string, string>): Sent {
  const named = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const id = things[name];
    if (id === undefined)
      throw new Error(
        `${nameOf(route)} names :${name}: make one at the top of this file, and put its id into \`world\`.`,
      );
    return id;
  });
  const path = `${named}${queries[route.name] ?? ''}`;
  if (!route.body) return { method: route.method, path };
  const body =
    bodies[route.name]?.(things) ??
    exampleOf(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }), things);
  const parsed = route.body.safeParse(body);
  if (!parsed.success)
    throw new Error(
      `No body could be made for ${nameOf(route)} (${parsed.error.message}): give one in \`bodies\` of this file.`,
    );
  return { method: route.method, path, body };
}

/** Returns another id for every thing that has an id. */
const elsewhere = () => ({
  ...Object.fromEntries(Object.keys(world).map((name) => [name, randomUUID()])),
  kind: world.kind!,
});

type Send = (sent: Sent) => Promise<Received>;
const withHeaders =
  (headers: Record<string, string>): Send =>
  (sent) =>
    system.send({ ...sent, headers });
const bearer = (token: string) => withHeaders({ authorization: `Bearer ${token}` });

/** Callers without any right. The API answers them with 401, or as if the thing does not exist. */
const outsiders: Record<string, { send(): Send; signedIn: boolean }> = {
  nobody: { send: () => withHeaders(samePage), signedIn: false },
  'a stranger': { send: () => stranger.send, signedIn: true },
  'a token of another team': { send: () => bearer(tokens.stranger), signedIn: true },
  'a token that is none': { send: () => bearer(`lf_${'0'.repeat(32)}`), signedIn: false },
  'an SDK key as a bearer': { send: () => bearer(app.key), signedIn: false },
  'an SDK key in its header': {
    send: () => withHeaders({ ...samePage, 'x-service-sdk-key': app.key }),
    signedIn: false,
  },
  'an expired session': { send: () => withHeaders({ ...samePage, cookie: gone.expired }), signedIn: false },
  'a session that was signed out': {
    send: () => withHeaders({ ...samePage, cookie: gone.signedOut }),
    signedIn: false,
  },
  'a session id as a bearer': {
    send: () => bearer(/landfall=([\w-]+)/.exec(staff.owner.cookie)![1]!),
    signedIn: false,
  },
  'a viewer of a share': {
    send: () => withHeaders({ ...samePage, authorization: `Share ${new URL(shared.json.url).hash.slice(1)}` }),
    signedIn: false,
  },
  'a token as a session': {
    send: () => withHeaders({ ...samePage, cookie: `landfall=${tokens.write}` }),
    signedIn: false,
  },
};

/** Requests that another site can make the browser of an owner send. */
const crossSite: Record<string, () => Send> = {
  'without the header': () => withHeaders({ cookie: staff.owner.cookie, origin: samePage.origin }),
  'from another site': () => withHeaders({ ...samePage, cookie: staff.owner.cookie, origin: 'https://evil.example' }),
  'from a page without an origin': () => withHeaders({ ...samePage, cookie: staff.owner.cookie, origin: 'null' }),
};

/**
 * The members of the team, from the lowest role to the highest. A token has no more rights than its scope, and no
 * rights over people or tokens.
 */
const insiders: Record<string, { send(): Send; roles: readonly string[]; isToken?: boolean }> = {
  'a viewer': { send: () => staff.viewer.send, roles: ['viewer'] },
  'a read-only token': { send: () => bearer(tokens.read), roles: ['viewer'], isToken: true },
  'a member': { send: () => staff.member.send, roles: ['viewer', 'member'] },
  'a writing token': { send: () => bearer(tokens.write), roles: ['viewer', 'member', 'admin'], isToken: true },
  'an admin': { send: () => staff.admin.send, roles: ['viewer', 'member', 'admin'] },
  'an owner': { send: () => staff.owner.send, roles: ['viewer', 'member', 'admin', 'owner'] },
};

/** Returns whether a member of the team may call the route, according to the route table. */
function isFor({ roles, isToken = false }: (typeof insiders)[string], route: ManageRoute): boolean {
  return needsList(route.needs).every((need: Need) => {
    if (need === 'anyone' || need === 'signed-in') return true;
    if (need === 'person') return !isToken;
    if (need === 'instance-owner' || need === 'operator' || need === 'guest') return false;
    return roles.includes(need.role) && !(isToken && need.except === 'tokens');
  });
}

const isOpen = (route: ManageRoute) => needsList(route.needs).includes('anyone');
const isForPeople = (route: ManageRoute) => needsList(route.needs).includes('person');
/** Returns whether the route is for owners of the installation. */
const isForOwners = (route: ManageRoute) =>
  needsList(route.needs).some((need) => (typeof need === 'object' ? need.role : need) === 'instance-owner');
const isForOperator = (route: ManageRoute) => needsList(route.needs).includes('operator');
const namesThings = (route: ManageRoute) => needsList(route.needs).some((need) => typeof need === 'object');

/** Words from the test data. No outsider may read any of them. */
const words = () => [
  ...Object.values(world).filter((word) => word !== world.kind),
  'of everything',
  'everything.example',
  'destination-of-everything',
  'title-of-everything',
  credentials.keyId,
  staff.owner.email,
  staff.viewer.email,
];

/** Returns everything that an owner sees of the team. Calls of outsiders must not change any of it. */
async function ownersView(): Promise<unknown> {
  const { appId } = world;
  const paths = [
    '/api/manage/me',
    '/api/manage/me/sessions',
    '/api/manage/me/tokens',
    '/api/manage/apps?limit=100',
    `/api/manage/teams/${teamId}`,
    `/api/manage/teams/${teamId}/members`,
    `/api/manage/teams/${teamId}/tokens`,
    `/api/manage/teams/${teamId}/audit?limit=100`,
    `/api/manage/apps/${appId}/identity-secrets`,
    `/api/manage/apps/${appId}/keys`,
    `/api/manage/apps/${appId}/domains`,
    `/api/manage/apps/${appId}/channels`,
    `/api/manage/apps/${appId}/reports`,
    `/api/manage/apps/${appId}/alerts`,
    `/api/manage/apps/${appId}/messages`,
    `/api/manage/apps/${appId}/links?limit=100`,
    `/api/manage/apps/${appId}/notifications?limit=100`,
    `/api/manage/apps/${appId}/push-providers`,
  ];
  await system.settled();
  const answers = await Promise.all(paths.map((path) => must(staff.owner.send({ path }))));
  // The time of the last use is not a change that a caller makes.
  return JSON.parse(JSON.stringify(answers.map(({ json }) => json)), (name, value) =>
    /^last(Used|Seen)At$/.test(name) ? undefined : value,
  );
}

/** Returns the status and the text of an answer, without its headers, which carry the request id. */
const said = ({ status, text }: Received) => ({ status, text });

// The stored rows are read once before and once after the calls of all routes: a read for each would take most of the time.
// The difference names the thing that a route has changed, and the audit names the command.
describe('for outsiders', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await ownersView();
  });

  describe.each(groups)('the routes of %s', (_, routes) => {
    it.each(routes)('%s says nothing', async (_, route) => {
      // Actions of people on themselves may end their session.
      if (isForPeople(route)) stranger = await people.signIn(stranger);
      for (const [who, { send, signedIn }] of Object.entries(outsiders)) {
        const answer = await send()(requestTo(route, world));
        const read = answer.text + JSON.stringify(answer.headers);
        expect(
          words().filter((word) => read.includes(word)),
          `${who} reads`,
        ).toEqual([]);
        if (isOpen(route)) continue;
        if (!signedIn) {
          expect(said(answer), who).toMatchObject({ status: 401, text: expect.stringContaining('NOT_SIGNED_IN') });
          expect(answer.headers['www-authenticate']).toBe('Bearer');
          expectErrorForm(answer);
        } else if (namesThings(route)) {
          // For outsiders, existing and missing things must look the same.
          expect([403, 404], `${who} ${answer.text}`).toContain(answer.status);
          expect(said(answer), who).toEqual(said(await send()(requestTo(route, elsewhere()))));
          expectErrorForm(answer);
        } else if (isForOwners(route) || isForOperator(route)) {
          expect(said(answer), who).toMatchObject({ status: 403, text: expect.stringContaining('FORBIDDEN') });
        }
      }
    });
  });

  it('no route does anything', async () => expect(await ownersView()).toEqual(before));
});

describe('for members without the right, who may know of them', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await readTables(system);
  });

  describe.each(groups)('the routes of %s', (_, routes) => {
    it.each(routes)('%s is refused', async (_, route) => {
      for (const [who, insider] of Object.entries(insiders)) {
        if (isFor(insider, route)) continue;
        const answer = await insider.send()(requestTo(route, world));
        expect(said(answer), who).toMatchObject({ status: 403, text: expect.stringContaining('FORBIDDEN') });
        expectErrorForm(answer);
      }
      if (isForOperator(route)) {
        const answer = await first.send(requestTo(route, world));
        expect(said(answer), 'an owner of the installation').toMatchObject({ status: 403 });
      }
      if (route.method === 'GET') return;
      for (const [how, send] of Object.entries(crossSite)) {
        const answer = await send()(requestTo(route, world));
        expect(said(answer), how).toMatchObject({ status: 403, text: expect.stringContaining('CROSS_SITE') });
      }
    });
  });

  it('no route does anything', async () => expect(await readTables(system)).toEqual(before));
});

/** The answers that mean "not allowed" or "not found". */
const REFUSED = [
  'NOT_SIGNED_IN',
  'FORBIDDEN',
  'CROSS_SITE',
  'APP_NOT_FOUND',
  'TEAM_NOT_FOUND',
  'LINK_NOT_FOUND',
  'NOTIFICATION_NOT_FOUND',
];

// These tests run last, because they change data. Without them, a route that refuses every caller would pass.
describe('the least of those whom it is for', () => {
  it.each(groups.flatMap(([, routes]) => routes))('may call %s', async (_, route) => {
    const [who, { send }] = isForOperator(route)
      ? ['the operator', { send: () => system.manage }]
      : isForOwners(route)
        ? ['an owner of the installation', { send: () => first.send }]
        : Object.entries(insiders).find(([, insider]) => isFor(insider, route))!;
    // Some routes end the session of the caller, or remove the caller from the team.
    const leaves = route.path.includes(':userId') && who === 'a viewer';
    const viewer = async () => (leaves ? spare : await people.signIn(staff.viewer)).send;
    const fresh = who === 'a viewer' ? await viewer() : send();
    const answer = await fresh(requestTo(route, world));
    expect(REFUSED, `${who} ${answer.text}`).not.toContain(answer.json?.code);
    // These routes exist only with a provider of OpenID Connect. oidc.e2e.test.ts tests each of them with a provider.
    if (route.redirects && route.path.includes('/oidc')) expect(answer.json?.code).toBe('NOT_FOUND');
    await system.settled();
  });
});
