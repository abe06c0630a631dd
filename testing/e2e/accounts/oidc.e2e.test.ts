// Sign-in through a provider of OpenID Connect, with a real provider on this machine.
import { randomUUID } from 'node:crypto';
import { isManage, routes } from '@landfall/console';
import {
  freshIp,
  PUBLIC_URL,
  peopleOf,
  type Received,
  readTables,
  type System,
  samePage,
  startSystem,
  type TestPerson,
} from '@landfall/testkit';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { del, expectError, post, systemOfFile } from '../calls.ts';
import { readDocument } from '../http/document.ts';
import { type IdentityProvider, identityProvider, type ProviderUser } from './identity-provider.ts';

const START = '/api/manage/sign-in/oidc';
const CALLBACK = `${START}/callback`;
const DOMAIN = 'own.example';

const idp = await identityProvider({ redirectUri: PUBLIC_URL + CALLBACK, name: 'Example SSO' });
afterAll(() => idp.stop());
const { system } = await systemOfFile({ ...idp.env, OIDC_DOMAINS: `${DOMAIN}, second.example` });
const people = peopleOf(system);
let owner: TestPerson & { teamId: string };

/** Returns a new user whom neither the provider nor the product knows. */
function newUser(more: Partial<ProviderUser> = {}): ProviderUser & { email: string } {
  const sub = `subject-${randomUUID()}`;
  const user = { sub, email: `person-${randomUUID()}@${DOMAIN}`, email_verified: true, name: 'Grace', ...more };
  system.keepsSecret('subject', user.sub);
  system.keepsSecret('email', user.email);
  return user;
}

type Headers = Record<string, string>;

/** Returns a browser that keeps cookies and follows redirects. */
function newBrowser(of: System = system, at: () => IdentityProvider = () => idp) {
  const ours = new Map<string, string>();
  const theirs = new Map<string, string>();
  const cookie = (jar: Map<string, string>): Headers =>
    jar.size > 0 ? { cookie: [...jar].map((pair) => pair.join('=')).join('; ') } : {};
  const keep = (jar: Map<string, string>, given: readonly string[]) => {
    for (const [name = '', value = ''] of given.map((one) => one.split(';', 1)[0]!.split(/=(.*)/s)))
      if (value === '') jar.delete(name);
      else jar.set(name, value);
  };

  const browser = {
    cookies: ours,
    async get(path: string, ip = freshIp()): Promise<Received> {
      const answer = await of.send({ path, ip, headers: cookie(ours) });
      keep(ours, setCookies(answer));
      return answer;
    },
    /** Starts a sign-in. Returns the address of the provider. */
    async begin(to?: string): Promise<URL> {
      const answer = await browser.get(to === undefined ? START : `${START}?to=${encodeURIComponent(to)}`);
      expect(answer.status, answer.text).toBe(302);
      return new URL(answer.headers.location!);
    },
    /** Signs in anew at the provider as the user. Returns the path to which the provider redirects back. */
    async visit(url: URL, user: ProviderUser | null): Promise<string> {
      at().user = user;
      theirs.clear();
      let next = url;
      for (let i = 0; i < 10 && next.origin === url.origin; i++) {
        const answer = await fetch(next, { redirect: 'manual', headers: cookie(theirs) });
        keep(theirs, answer.headers.getSetCookie());
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`${next.pathname}: ${answer.status} ${await answer.text()}`);
        next = new URL(location, next);
      }
      expect(next.href).toMatch(`${PUBLIC_URL}${CALLBACK}?`);
      return next.pathname + next.search;
    },
    /** Goes to the provider and back. */
    async signIn(user: ProviderUser | null, to?: string): Promise<Received> {
      return browser.get(await browser.visit(await browser.begin(to), user));
    },
    /** Signs in, and returns the person. */
    async enter(user: ProviderUser, to = '/'): Promise<{ id: string; email: string; [field: string]: unknown }> {
      expectIn(await browser.signIn(user, to), to);
      return (await browser.me()).person;
    },
    async me() {
      const me = await browser.get('/api/manage/me');
      expect(me.status, me.text).toBe(200);
      return me.json;
    },
    post: (path: string, body: object) =>
      of.send({ method: 'POST', path, body, headers: { ...samePage, ...cookie(ours) } }),
    /** Signs in with a password. */
    async withPassword({ email, password }: TestPerson) {
      const answer = await browser.post('/api/manage/session', { email, password });
      expect(answer.status, answer.text).toBe(200);
      keep(ours, setCookies(answer));
    },
  };
  return browser;
}

const signInCookies = ({ cookies }: { cookies: Map<string, string> }): string[] =>
  [...cookies.keys()].filter((name) => name.startsWith('landfall-sign-in'));
const setCookies = ({ headers }: Received) => (headers['set-cookie'] ?? []) as unknown as string[];
const isGiven = (answer: Received) => setCookies(answer).some((cookie) => cookie.startsWith('landfall='));

/** Expects a new session and a redirect to the page that the browser asked for. */
function expectIn(answer: Received, to = '/'): void {
  expect({ status: answer.status, location: answer.headers.location }).toEqual({
    status: 302,
    location: PUBLIC_URL + to,
  });
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(isGiven(answer)).toBe(true);
}

/** Expects no session, and an error code in the redirect. */
function expectOut(answer: Received, error: string, to = '/'): void {
  expect({ status: answer.status, location: answer.headers.location }).toEqual({
    status: 302,
    location: `${PUBLIC_URL}${to}?error=${error}`,
  });
  expect(isGiven(answer)).toBe(false);
}

/**
 * Returns the rows of all tables, without times and counts of use. The tables hold no state of a sign-in that is in
 * progress.
 */
const stored = () => readTables(system);
const audit = async (text: string) => (await stored())['account.audit']!.filter((row) => row.includes(text));

// These tests run in this order: at first the provider is away, and the installation has no owner.
describe('an instance with a provider', () => {
  it('starts without it, and says that it is away', async () => {
    expect((await system.send({ path: '/api/manage/set-up' })).json).toMatchObject({
      needed: true,
      oidc: { name: 'Example SSO' },
    });
    expectOut(await newBrowser().get(`${START}?to=/apps`), 'provider-unavailable', '/apps');
    await idp.start();
    expect((await newBrowser().begin()).origin).toBe(idp.env.OIDC_ISSUER);
  });

  it('lets nobody in before it is set up', async () => {
    expectOut(await newBrowser().signIn(newUser()), 'no-account');
    owner = await people.setUp();
  });

  it('answers as its document says', async () => {
    const { operations } = await readDocument(system);
    const operation = (path: string) => operations.find((one) => one.path === path)!;
    const browser = newBrowser();
    const started = await browser.get(START);
    operation(START).check(started);
    expect(started.status).toBe(302);
    const back = await browser.visit(new URL(started.headers.location!), newUser());
    const answer = await browser.get(back);
    operation(CALLBACK).check(answer);
    expectIn(answer);
    for (const path of [`${START}?to=x`, `${CALLBACK}?code=${'x'.repeat(8_193)}`]) {
      const refused = await browser.get(path);
      expectError(refused, 400, 'INVALID_REQUEST');
      operation(path.split('?')[0]!).check(refused);
    }
  });

  it('redirects here, and to the page that explains a tap, and nowhere else', () => {
    const redirecting = routes.filter((route) => isManage(route) && route.redirects).map(({ path }) => path);
    expect(redirecting.toSorted()).toEqual([START, CALLBACK, '/api/manage/explain/open'].toSorted());
  });
});

describe('whoever comes from the provider', () => {
  it('gets an account with an email of an own domain, and comes back to it', async () => {
    const user = newUser({ email: `Grace-${randomUUID()}@OWN.example` });
    const browser = newBrowser();
    const person = await browser.enter(user, '/apps/1?tab=keys#x');
    expect(person).toMatchObject({
      email: user.email.toLowerCase(),
      name: 'Grace',
      hasPassword: false,
      instanceOwner: false,
    });
    expect(await browser.me()).toMatchObject({
      kind: 'person',
      teams: [],
      identities: [{ name: 'Example SSO', createdAt: expect.any(String), lastUsedAt: expect.any(String) }],
    });
    // The provider identifies the person by its own id (`sub`), so changed claims do not matter.
    const again = newBrowser();
    const changed = { ...user, email: `other-${randomUUID()}@elsewhere.example`, email_verified: false, name: 'Other' };
    expect(await again.enter(changed)).toEqual(person);
    const sessions = await again.get('/api/manage/me/sessions');
    expect(sessions.json.sessions).toHaveLength(2);
    expect(await audit(person.id)).toHaveLength(2);
    expect((await audit(person.id)).join()).toMatch(/"person": "made".*"action": "SignInByProvider"/);
  });

  it('has no password, and sets none', async () => {
    const browser = newBrowser();
    const { email } = await browser.enter(newUser());
    const wrong = await browser.post('/api/manage/session', { email, password: 'correct horse battery' });
    expectError(wrong, 401, 'WRONG_CREDENTIALS');
    const body = { current: '-', next: 'correct horse battery' };
    expectError(await browser.post('/api/manage/me/password', body), 401, 'WRONG_CREDENTIALS');
  });

  it('gets another session each time, and loses the one before in this browser', async () => {
    const user = newUser();
    const browser = newBrowser();
    await browser.enter(user);
    const first = browser.cookies.get('landfall');
    await browser.enter(user);
    expect(browser.cookies.get('landfall')).not.toBe(first);
    expect(signInCookies(browser)).toEqual([]);
  });

  it.each([
    ['another domain', { email: `x-${randomUUID()}@elsewhere.example` }],
    ['a domain that looks alike', { email: `x-${randomUUID()}@${DOMAIN}.evil.example` }],
  ])('gets no account with %s', async (_, more) => {
    const before = await stored();
    expectOut(await newBrowser().signIn(newUser(more), '/apps'), 'no-account', '/apps');
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['is not said to be verified', { email_verified: undefined }],
  ])('gets no account when the email %s', async (_, more) => {
    const before = await stored();
    expectOut(await newBrowser().signIn(newUser(more as Partial<ProviderUser>)), 'email-not-verified');
    expect(await stored()).toEqual(before);
  });

  it('may say no', async () => {
    expectOut(await newBrowser().signIn(null, '/apps'), 'denied', '/apps');
  });
});

describe('an account with a password', () => {
  let member: TestPerson;
  beforeEach(async () => {
    member = await people.join(owner, owner.teamId, 'member');
  });

  it('is not opened by its email alone', async () => {
    const before = await stored();
    const user = newUser({ email: member.email });
    expectOut(await newBrowser().signIn({ ...user, email_verified: false }), 'email-not-verified');
    const owners = newUser({ email: owner.email });
    expectOut(await newBrowser().signIn(owners), 'password-first');
    // A session of another person in the browser proves nothing.
    const other = newBrowser();
    await other.withPassword(member);
    const changed = await stored();
    expectOut(await other.signIn(owners), 'password-first');
    expect(await stored()).toEqual(changed);
    expect(changed['account.identities']).toEqual(before['account.identities']);
  });

  it('that nobody confirmed goes to the owner of its email, and its sessions end', async () => {
    const me = () => member.send({ path: '/api/manage/me' });
    expect((await me()).json.person).toMatchObject({ id: member.id, emailVerified: false });
    const browser = newBrowser();
    expectIn(await browser.signIn(newUser({ email: member.email })));
    await system.settled();
    expect((await me()).status).toBe(401);
    expect((await browser.me()).person).toMatchObject({ id: member.id, emailVerified: true, hasPassword: false });
  });

  it('is linked in a browser in which the password was given, once and for good', async () => {
    const user = newUser({ email: member.email });
    const browser = newBrowser();
    await browser.withPassword(member);
    expect(await browser.enter(user)).toMatchObject({ id: member.id, hasPassword: true });
    expect(await newBrowser().enter(user)).toMatchObject({ id: member.id });
    expect((await browser.me()).teams).toMatchObject([{ id: owner.teamId, role: 'member' }]);
    await newBrowser().withPassword(member);
    // Another identity now has this email.
    expectOut(await browser.signIn(newUser({ email: member.email })), 'other-identity');
  });
});

describe('an invitation', () => {
  it('lets in whoever has its email, who then accepts it', async () => {
    const user = newUser({ email: `invited-${randomUUID()}@elsewhere.example` });
    const path = `/api/manage/teams/${owner.teamId}/invitations`;
    const invite = async (email: string) => {
      const answer = await owner.send(post(path, { email, role: 'member' }));
      expect(answer.status, answer.text).toBe(200);
      return { code: answer.json.code, id: answer.json.invitation.id };
    };
    const invited = await invite(user.email);
    const others = await invite(people.newEmail());
    const browser = newBrowser();
    await browser.enter(user, '/join');
    expect(await browser.me()).toMatchObject({ person: { email: user.email, hasPassword: false }, teams: [] });
    const accept = (code: string) => browser.post('/api/manage/invitations/accept', { code });
    expectError(await accept(others.code), 403, 'INVITED_OTHER');
    expect((await accept(invited.code)).json).toMatchObject({ role: 'member' });
    await system.settled();
    expect((await browser.me()).teams).toMatchObject([{ id: owner.teamId, role: 'member' }]);
  });

  it('that was taken back lets nobody in', async () => {
    const user = newUser({ email: `invited-${randomUUID()}@elsewhere.example` });
    const path = `/api/manage/teams/${owner.teamId}/invitations`;
    const { json } = await owner.send(post(path, { email: user.email, role: 'member' }));
    await owner.send(del(`${path}/${json.invitation.id}`));
    expectOut(await newBrowser().signIn(user), 'no-account');
  });
});

describe('a way to the provider and back', () => {
  it('is gone once, also with the cookie that it had', async () => {
    const browser = newBrowser();
    const back = await browser.visit(await browser.begin(), newUser());
    const cookies = new Map(browser.cookies);
    expectIn(await browser.get(back));
    expectOut(await browser.get(back), 'expired');
    const before = await stored();
    const copy = newBrowser();
    for (const [name, value] of cookies) copy.cookies.set(name, value);
    expectOut(await copy.get(back), 'failed');
    expect((await stored())['account.sessions']).toEqual(before['account.sessions']);
  });

  it('ends in the browser that began it', async () => {
    const mine = newBrowser();
    const other = newBrowser();
    const [myUrl, otherUrl] = [await mine.begin(), await other.begin()];
    const [myBack, otherBack] = [await mine.visit(myUrl, newUser()), await other.visit(otherUrl, newUser())];
    const before = await stored();
    expectOut(await newBrowser().get(otherBack), 'expired');
    expectOut(await mine.get(otherBack), 'expired');
    // The code of one browser is of no use to another browser either.
    const code = (back: string) => new URLSearchParams(back.split('?')[1]).get('code')!;
    expect(code(myBack)).not.toBe(code(otherBack));
    expectOut(await mine.get(myBack.replace(code(myBack), code(otherBack))), 'failed');
    expect(await stored()).toEqual(before);
    // The failed attempt does not harm the sign-in of the other browser.
    expectIn(await other.get(otherBack));
  });

  it.each([
    ['without a state', (back: string) => back.replace(/([?&])state=[^&]*/, '$1')],
    ['with another state', (back: string) => back.replace(/state=[^&]*/, 'state=guessed')],
    ['with nothing', () => CALLBACK],
  ])('is not ended by somebody who comes %s', async (_, forge) => {
    const browser = newBrowser();
    const back = await browser.visit(await browser.begin(), newUser());
    expectOut(await browser.get(forge(back)), 'expired');
    expectIn(await browser.get(back));
  });

  it.each([
    [
      'the provider says that it is another',
      (back: string) => back.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'),
    ],
    ['the provider does not say who it is', (back: string) => back.replace(/&?iss=[^&]*/, '')],
    ['there is no code', (back: string) => back.replace(/code=[^&]*&?/, '')],
    ['the code is made up', (back: string) => back.replace(/code=[^&]*/, `code=${'A'.repeat(43)}`)],
  ])('fails when %s', async (_, forge) => {
    const browser = newBrowser();
    const back = await browser.visit(await browser.begin(), newUser());
    const before = await stored();
    expectOut(await browser.get(forge(back)), 'failed');
    expect(await stored()).toEqual(before);
  });

  it.each([['nonce'], ['code_challenge']])('fails when its %s is not the one of this browser', async (name) => {
    const browser = newBrowser();
    const url = await browser.begin();
    expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    url.searchParams.set(name, 'A'.repeat(43));
    const before = await stored();
    expectOut(await browser.get(await browser.visit(url, newUser())), 'failed');
    expect(await stored()).toEqual(before);
  });

  it('is one of several of a browser, of which the newest five are kept', async () => {
    const browser = newBrowser();
    const first = await browser.begin();
    const second = await browser.begin();
    const [one, two] = [await browser.visit(first, newUser()), await browser.visit(second, newUser())];
    expectIn(await browser.get(one));
    expectIn(await browser.get(two));
    expect(signInCookies(browser)).toEqual([]);
    const urls = [];
    for (let n = 0; n < 7; n++) urls.push(await browser.begin());
    expect(signInCookies(browser)).toHaveLength(5);
    expectIn(await browser.get(await browser.visit(urls.at(-1)!, newUser())));
    expectOut(await browser.get(await browser.visit(urls[0]!, newUser())), 'expired');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example'])(
    'leads nowhere else: %j',
    async (to) => {
      const answer = await newBrowser().get(`${START}?to=${encodeURIComponent(to)}`);
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.headers.location).toBeUndefined();
    },
  );

  it.each(['/@evil.example', '/%2f/evil.example', '/?to=//evil.example'])('stays on this host: %j', async (to) => {
    for (const user of [newUser(), null]) {
      const answer = await newBrowser().signIn(user, to);
      expect(answer.status).toBe(302);
      expect(new URL(answer.headers.location!, 'http://other.example').origin).toBe(PUBLIC_URL);
    }
  });

  it('is limited for each address, as signing in is', async () => {
    const ip = freshIp();
    for (let i = 0; i < 20; i++) expect((await newBrowser().get(START, ip)).status).toBe(302);
    expectError(await newBrowser().get(START, ip), 429, 'RATE_LIMITED');
    expectError(await newBrowser().get(CALLBACK, ip), 429, 'RATE_LIMITED');
  });

  it("is nobody's who has not begun one, whoever they are", async () => {
    const { token } = await people.makeToken(owner, owner.teamId, 'write');
    const { key } = await system.makeApp();
    const before = await stored();
    for (const headers of [
      {},
      { cookie: owner.cookie },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${system.ownerToken}` },
      { 'x-service-sdk-key': key },
    ] as Headers[])
      for (const query of ['', '?state=a&code=b', '?error=access_denied', `?iss=${idp.env.OIDC_ISSUER}&code=a`])
        expectOut(await system.send({ path: CALLBACK + query, headers }), 'expired');
    expect(await stored()).toEqual(before);
  });
});

describe('a provider', () => {
  it('may be away for a while', async () => {
    const user = newUser();
    const browser = newBrowser();
    const back = await browser.visit(await browser.begin('/apps'), user);
    await idp.stop();
    expectOut(await browser.get(back), 'provider-unavailable', '/apps');
    expectOut(await browser.get(START), 'provider-unavailable');
    await idp.start();
    await browser.enter(user);
  });

  it('may say all that it knows in the ID token, and ask for Basic', async () => {
    const options = { claimsIn: 'id-token', clientAuth: 'client_secret_basic' } as const;
    const other = await identityProvider({ redirectUri: PUBLIC_URL + CALLBACK, ...options });
    await other.start();
    const own = await startSystem({ ...other.env, OIDC_DOMAINS: DOMAIN });
    try {
      // If all systems share one database, an owner exists already.
      if ((await own.send({ path: '/api/manage/set-up' })).json.needed) await peopleOf(own).setUp();
      const user = newUser();
      const browser = newBrowser(own, () => other);
      expect(await browser.enter(user)).toMatchObject({ email: user.email, name: 'Grace' });
      expect((await browser.me()).identities).toMatchObject([{ name: new URL(other.env.OIDC_ISSUER!).host }]);
    } finally {
      await own.stop();
      await other.stop();
    }
  });
});
