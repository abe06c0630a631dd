// Share links: what their viewers get, and that they get nothing else.
import { freshIp, IPHONE, peopleOf, type Received, readTables, type Sent, samePage } from '@landfall/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { del, expectError, newDevice, patch, post, systemOfFile } from '../calls.ts';
import { readDocument } from '../http/document.ts';

const { system, calls } = await systemOfFile();
const owner = await peopleOf(system).setUp();
const app = await system.makeApp();
const appPath = `/api/manage/apps/${app.app.id}`;
const link = await system.makeLink(app, '/a', { inviter: 'ann' });
const other = await system.makeLink(app, '/secret-destination');

/** What the page of analytics would share. */
const VIEW = {
  range: '7',
  compare: 'previous',
  filter: [`link:${link.id}`],
  figures: ['clicks', 'attributedInstalls', 'restores'],
  cardMetrics: ['clicks', 'attributedInstalls'],
  cards: ['country', 'platform', 'link'],
  funnel: true,
};
const QUERY = `compare=previous&filter=link:${link.id}`;

interface Made {
  id: string;
  secret: string;
  url: string;
}

async function make(body: object = {}): Promise<Made> {
  const { status, json, text } = await system.manage(
    post(`${appPath}/shares`, { name: 'Autumn', view: VIEW, ...body }),
  );
  expect(status, text).toBe(200);
  const secret = new URL(json.url).hash.slice(1);
  system.keepsSecret('the secret of a share', secret);
  return { id: json.share.id, secret, url: json.url };
}

/** Asks as a viewer, from an address of its own. */
const see = ({ secret }: Pick<Made, 'secret'>, sent: string | Sent, pass = ''): Promise<Received> => {
  const authorization = `Share ${secret}${pass && ` ${pass}`}`;
  const wanted = typeof sent === 'string' ? { path: `/api/share${sent}` } : sent;
  return system.send({ ...wanted, ip: freshIp(), headers: { ...wanted.headers, authorization } });
};
const figures = (path: string) => system.manage({ path: `${appPath}/analytics${path}` });
const day = (ago: number) => new Date(system.clock() - ago * 86_400_000).toISOString().slice(0, 10);

let share: Made;
beforeAll(async () => {
  for (let i = 0; i < 3; i++) await calls.tap(link.url, { ip: freshIp() });
  await calls.tap(link.url, { ip: freshIp(), userAgent: IPHONE });
  await calls.tap(other.url, { ip: freshIp() });
  const device = newDevice();
  await calls.tap(link.url, { ip: device.ip });
  await calls.heartbeat(app, device.body, { ip: device.ip });
  await calls.restore(app, device.body, { ip: device.ip });
  await system.settled();
  share = await make();
});

const calledBySlug = (answer: object) =>
  JSON.parse(JSON.stringify(answer).replaceAll('"name":"/a"', `"name":"${link.slug}"`));

describe('a share', () => {
  it('says what it shows, and no more of the app than its name and its look', async () => {
    const { status, json, headers, text } = await see(share, '');
    expect(status).toBe(200);
    expect(Object.keys(json.share).sort()).toEqual([
      'app',
      'csv',
      'days',
      'expiresAt',
      'filters',
      'name',
      'narrow',
      'view',
    ]);
    expect(json.share).toMatchObject({
      name: 'Autumn',
      app: { name: app.app.name, timeZone: 'UTC' },
      days: { from: day(6), to: null },
      filters: [{ dimension: 'link', value: link.id, name: link.slug }],
      narrow: true,
      csv: false,
    });
    expect(Date.parse(json.share.expiresAt) - system.clock()).toBeCloseTo(90 * 86_400_000, -5);
    expect(text).not.toContain(app.app.id);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('calls links by their names only if it says so', async () => {
    const named = post(`${appPath}/links`, { destination: '/named', name: 'Spring sale' });
    const { id, slug } = (await system.manage(named)).json.link;
    const view = { ...VIEW, filter: [`link:${id}`] };
    const nameIn = async (options: object) => {
      const one = await make({ view, options });
      return (await see(one, '')).json.share.filters[0].name;
    };
    expect(await nameIn({})).toBe(slug);
    expect(await nameIn({ linkNames: true })).toBe('Spring sale');
  });

  it('has the figures of the page', async () => {
    const shared = (await see(share, '/figures')).json.figures;
    for (const metric of VIEW.figures) {
      const own = (await figures(`?metric=${metric}&from=${day(6)}&${QUERY}`)).json;
      const { to: _, ...rest } = own;
      expect(shared.find((one: { metric: string }) => one.metric === metric).figures).toMatchObject({
        total: own.total,
        values: rest.values,
        previous: { total: own.previous.total },
      });
    }
    expect(shared[0].figures.total).toBe(5);
    expect(shared[1].figures.total).toBe(1);

    const asked = VIEW.cards.map((one) => `dimension=${one}`).join('&');
    const metrics = VIEW.cardMetrics.map((one) => `metric=${one}`).join('&');
    const cards = (await figures(`/breakdowns?${metrics}&${asked}&from=${day(6)}&${QUERY}&limit=50`)).json;
    const shown = (await see(share, '/cards')).json;
    // Members see the destination of a link without a name, viewers its slug.
    expect(shown.breakdowns).toEqual(calledBySlug(cards.breakdowns));
    expect(shown.metrics).toEqual(cards.metrics);

    const funnel = (await figures(`/funnel?from=${day(6)}&filter=link:${link.id}`)).json;
    expect((await see(share, '/funnel')).json.groups).toEqual(calledBySlug(funnel.groups));
  });

  it('can be narrowed, and never shows more', async () => {
    const total = async (query: string) => (await see(share, `/figures?${query}`)).json.figures[0].figures.total;
    expect(await total('filter=platform:ios')).toBe(1);
    expect(await total('filter=platform:android&filter=platform:ios')).toBe(5);
    expect(await total(`filter=link:${link.id}`)).toBe(5);
    expect(await total(`from=${day(0)}&to=${day(0)}`)).toBe(5);
    expect(await total(`to=${day(1)}`)).toBe(0);
  });

  it.each([
    [`from=${day(7)}`, 'from'],
    [`from=${day(-1)}`, 'from'],
    [`to=${day(-1)}`, 'to'],
    [`to=${day(7)}`, 'to'],
    [`from=${day(1)}&to=${day(2)}`, 'from'],
    ['from=2026-01-01T00:00:00Z', 'from'],
    [`filter=link:${other.id}`, 'filter'],
    ['filter=link:', 'filter'],
    ['filter=browser:Chrome', 'filter'],
    ['filter=label:inviter:ann', 'filter'],
    ['filter=nothing', 'filter.0'],
  ])('refuses %s, and names the field', async (query, path) => {
    for (const card of ['figures', 'cards', 'funnel']) {
      const answer = await see(share, `/${card}?${query}`);
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.json.details[0].path).toBe(path);
    }
  });

  it('ignores what it has no word for', async () => {
    const plain = (await see(share, '/figures')).json;
    const more = `/figures?metric=installs&groupBy=link&interval=hour&appId=${other.id}&compare=year&spelling=exact`;
    expect((await see(share, more)).json).toEqual(plain);
  });

  it('is fixed, and has CSV, only as its maker chose', async () => {
    expectError(await see(share, '/cards/export?dimension=country'), 403, 'FORBIDDEN');
    const other = await make({ options: { narrow: false, csv: true } });
    for (const query of [`from=${day(1)}`, 'filter=platform:ios'])
      expectError(await see(other, `/figures?${query}`), 400, 'INVALID_REQUEST');
    const csv = await see(other, '/cards/export?dimension=platform');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text).toContain('\r\nandroid,,4,');
    expectError(await see(other, '/cards/export?dimension=browser'), 400, 'INVALID_REQUEST');
  });

  it('answers a question once a minute', async () => {
    const one = await make({ name: 'Kept' });
    const total = async () => (await see(one, '/figures')).json.figures[0].figures.total;
    const before = await total();
    await calls.tap(link.url, { ip: freshIp() });
    await system.settled();
    expect(await total()).toBe(before);
    system.clock.advance({ seconds: 61 });
    expect(await total()).toBe(before + 1);
  });
});

describe('its secret', () => {
  it('opens no other route, and reads and changes nothing there', async () => {
    const { operations } = await readDocument(system);
    const before = await readTables(system);
    const guests = operations.filter(({ path }) => `${path}/`.startsWith('/api/share/'));
    expect(guests).toHaveLength(7);
    let tried = 0;
    for (const { method, path, definition } of operations) {
      if (`${path}/`.startsWith('/api/share/')) continue;
      const isOpen =
        definition.security.length === 0 || definition.security.some((one: object) => !Object.keys(one)[0]);
      const named = path.replace('{appId}', app.app.id).replace('{shareId}', share.id).replace(/{\w+}/g, link.id);
      const answer = await see(share, {
        method,
        path: named,
        body: ['GET', 'DELETE'].includes(method) ? undefined : {},
        headers: samePage,
      });
      tried++;
      if (isOpen) continue;
      expect([401, 403], `${method} ${path}: ${answer.text}`).toContain(answer.status);
    }
    expect(tried).toBeGreaterThan(120);
    expect(await readTables(system)).toEqual(before);
  });

  it('does not add to the rights of a session, and takes its place', async () => {
    const me = { path: '/api/manage/me', headers: { ...samePage, cookie: owner.cookie } };
    expect((await system.send(me)).status).toBe(200);
    expectError(await see(share, me), 401, 'NOT_SIGNED_IN');
  });

  it('is known to nobody else: other callers have no share', async () => {
    const missing = await see({ secret: `lfs_${'0'.repeat(32)}` }, '');
    expectError(missing, 404, 'SHARE_NOT_FOUND');
    for (const path of ['', '/figures', '/cards', '/cards/export?dimension=x', '/funnel'])
      for (const send of [system.manage, system.send])
        expect((await send({ path: `/api/share${path}` })).text).toBe(missing.text);
    const sent = { ...post('/api/share/unlock', { password: 'correct horse battery' }), headers: samePage };
    expect((await system.send(sent)).text).toBe(missing.text);
    // Its questions would name the id of a share that others ask.
    const { id } = await make();
    for (const secret of [share.secret.toUpperCase(), `${share.secret}0`, 'lfs_', id])
      expect((await see({ secret }, '')).text).toBe(missing.text);
  });

  it('is in no row of the database', async () => {
    expect(JSON.stringify(await readTables(system))).not.toContain(share.secret.slice(4));
  });
});

describe('an ended share', () => {
  /** Every answer of a share that opens nothing. */
  const answers = async (one: Made) =>
    Promise.all(['', '/lock', '/figures', '/cards', '/funnel'].map(async (path) => (await see(one, path)).text));

  it('is gone at once, and looks like one that never was', async () => {
    const never = await answers({ id: '', url: '', secret: `lfs_${'1'.repeat(32)}` });
    expect(new Set(never).size).toBe(1);
    const revoked = await make();
    expect((await see(revoked, '/figures')).status).toBe(200);
    const began = performance.now();
    expect((await system.manage(del(`${appPath}/shares/${revoked.id}`))).status).toBe(200);
    await expect.poll(() => answers(revoked), { timeout: 1_000, interval: 20 }).toEqual(never);
    expect(performance.now() - began).toBeLessThan(1_000);
    expectError(await system.manage(del(`${appPath}/shares/${revoked.id}`)), 404, 'SHARE_NOT_FOUND');

    const expired = await make({ expiresAt: new Date(system.clock() + 60_000).toISOString() });
    expect((await see(expired, '')).status).toBe(200);
    system.clock.advance({ seconds: 60 });
    expect(await answers(expired)).toEqual(never);
    // Its maker sees it, and can give it another end.
    const longer = await system.manage(patch(`${appPath}/shares/${expired.id}`, { expiresAt: null }));
    expect(longer.json.share.expiresAt).toBeNull();
    await expect.poll(async () => (await see(expired, '')).status, { timeout: 1_000 }).toBe(200);
  });

  it('is one of an archived app, too', async () => {
    const archived = await system.makeApp();
    const path = `/api/manage/apps/${archived.app.id}`;
    const { json } = await system.manage(post(`${path}/shares`, { name: 'x', view: {} }));
    const one = { secret: new URL(json.url).hash.slice(1) };
    expect((await see(one, '')).status).toBe(200);
    await system.manage(patch(path, { archived: true }));
    await system.settled();
    expectError(await see(one, ''), 404, 'SHARE_NOT_FOUND');
  });
});

it('a team that shares nothing has no open share', async () => {
  const made = post('/api/manage/apps', { teamId: owner.teamId, name: 'x', subdomain: `s${Date.now()}` });
  const own = `/api/manage/apps/${(await owner.send(made)).json.app.id}`;
  const one = {
    secret: new URL((await owner.send(post(`${own}/shares`, { name: 'x', view: {} }))).json.url).hash.slice(1),
  };
  expect((await see(one, '')).status).toBe(200);
  const allow = (sharing: string) => owner.send(patch(`/api/manage/teams/${owner.teamId}`, { sharing }));
  expect((await allow('off')).json.team.sharing).toBe('off');
  await expect.poll(async () => (await see(one, '')).json.code, { timeout: 1_000 }).toBe('SHARE_NOT_FOUND');
  expectError(await owner.send(post(`${own}/shares`, { name: 'x', view: {} })), 403, 'SHARING_OFF');
  await allow('members');
  await expect.poll(async () => (await see(one, '')).status, { timeout: 1_000 }).toBe(200);
});

describe('a password', () => {
  const password = 'tulips in november';
  const unlock = (one: Made, typed: string) => see(one, post('/api/share/unlock', { password: typed }));

  it('is asked for before anything is told, and its pass ends with it', async () => {
    const one = await make({ password, options: { csv: true } });
    for (const path of ['', '/figures', '/cards', '/funnel', '/cards/export?dimension=country'])
      expectError(await see(one, path), 403, 'SHARE_LOCKED');
    expectError(await unlock(one, 'tulips in december'), 401, 'WRONG_CREDENTIALS');
    const lock = async (pass = '') => (await see(one, '/lock', pass)).json;
    const ofApp = { name: app.app.name, color: null, logo: null };
    expect(await lock()).toMatchObject({ locked: true, app: ofApp });
    const { pass, endsAt } = (await unlock(one, password)).json;
    expect(await lock(pass)).toMatchObject({ locked: false, app: ofApp });
    expect(Date.parse(endsAt) - system.clock()).toBeCloseTo(12 * 3_600_000, -5);
    expect((await see(one, '/figures', pass)).status).toBe(200);
    // A pass is of one share.
    const two = await make({ password });
    expectError(await see(two, '/figures', pass), 403, 'SHARE_LOCKED');
    const changed = pass.replace(/^v1\.(.)/, (_: string, first: string) => `v1.${first === 'A' ? 'B' : 'A'}`);
    expectError(await see(one, '/figures', changed), 403, 'SHARE_LOCKED');
    await system.manage(patch(`${appPath}/shares/${one.id}`, { password: 'crocuses in march' }));
    await expect.poll(async () => (await see(one, '/figures', pass)).status, { timeout: 1_000 }).toBe(403);
    const next = (await unlock(one, 'crocuses in march')).json.pass;
    system.clock.advance({ hours: 12 });
    expectError(await see(one, '/figures', next), 403, 'SHARE_LOCKED');
  });

  it('cannot be guessed fast, from however many places', async () => {
    const one = await make({ password });
    const codes: string[] = [];
    for (let n = 0; n < 7; n++) codes.push((await unlock(one, `guess ${n}`)).json.code);
    expect(codes).toContain('SIGN_IN_DELAYED');
    expectError(await unlock(one, password), 429, 'SIGN_IN_DELAYED');
  });

  it('follows the rules of passwords', async () => {
    const sent = (typed: string) =>
      system.manage(post(`${appPath}/shares`, { name: 'x', view: VIEW, password: typed }));
    expectError(await sent('short'), 400, 'INVALID_REQUEST');
    expectError(await sent('password123'), 400, 'PASSWORD_COMMON');
  });
});

describe('making one', () => {
  it.each([
    [{ name: ' ' }, 'name'],
    [{ view: { ...VIEW, cards: ['age'] } }, 'view.cards.0'],
    [{ view: { ...VIEW, filter: ['age:7'] } }, 'view.filter.0'],
    [{ view: { ...VIEW, from: '2026-01-01' } }, 'view.to'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ options: { origins: ['http://wiki.example'] } }, 'options.origins.0'],
    [{ options: { origins: ['https://wiki.example/page'] } }, 'options.origins.0'],
    [{ options: { origins: ["https://a.example; script-src 'x'"] } }, 'options.origins.0'],
    [{ options: { origins: Array.from({ length: 11 }, (_, n) => `https://a${n}.example`) } }, 'options.origins'],
  ])('refuses %j, and names the field', async (body, path) => {
    const answer = await system.manage(post(`${appPath}/shares`, { name: 'x', view: VIEW, ...body }));
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  });

  it('refuses a card that its figure cannot have', async () => {
    const view = { ...VIEW, filter: [], cardMetrics: ['opens'], cards: ['browser'] };
    expectError(await system.manage(post(`${appPath}/shares`, { name: 'x', view })), 400, 'DIMENSION_UNKNOWN');
  });

  it('is in the list with its last use, and in the audit log without its secret', async () => {
    const one = await make({ name: 'Listed', password: 'tulips in november' });
    const { pass } = (await see(one, post('/api/share/unlock', { password: 'tulips in november' }))).json;
    await see(one, '', pass);
    await expect
      .poll(async () => {
        const { json } = await system.manage({ path: `${appPath}/shares` });
        return json.shares.find(({ id }: { id: string }) => id === one.id);
      })
      .toMatchObject({ name: 'Listed', hasPassword: true, createdBy: null, lastUsedAt: expect.stringMatching(/Z$/) });
    const audit = await system.manage({ path: '/api/manage/audit?limit=100' });
    expect(audit.text).toContain('CreateShare');
    for (const word of [one.secret, 'tulips', 'argon2']) expect(audit.text).not.toContain(word);
  });
});

it('an address may ask 60 questions a minute, a share 600', async () => {
  const one = await make({ name: 'Flooded' });
  const ip = freshIp();
  const ask = (from: string) =>
    system.send({ path: '/api/share', ip: from, headers: { authorization: `Share ${one.secret}` } });
  const statuses: number[] = [];
  for (let n = 0; n < 61; n++) statuses.push((await ask(ip)).status);
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
  // Ten a second come back, so a slow machine refuses fewer.
  const all = await Promise.all(Array.from({ length: 900 }, (_, n) => ask(`198.51.${n >> 8}.${n & 255}`)));
  const refused = all.filter(({ status }) => status === 429);
  expect(refused.length).toBeLessThanOrEqual(360);
  expect(refused.length).toBeGreaterThan(100);
  expect(refused[0]!.headers['retry-after']).toMatch(/^\d+$/);
});
