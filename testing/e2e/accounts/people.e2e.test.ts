// Tests of the first owner, sign-in and sign-out, sessions and passwords.
import { connect } from '@landfall/db';
import {
  ANDROID,
  cookiesOf,
  freshIp,
  IPHONE,
  peopleOf,
  type Received,
  samePage,
  type TestPerson,
} from '@landfall/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { del, expectError, patch, systemOfFile } from '../calls.ts';

let owner: TestPerson & { teamId: string };
let code: string;
const { system } = await systemOfFile();
const people = peopleOf(system);
const database = connect({ url: system.databaseUrl, max: 1 });
afterAll(() => database.close());

const ME = '/api/manage/me';
const SESSION = '/api/manage/session';

const post = (path: string, body: unknown, headers: Record<string, string> = {}, ip = freshIp()) =>
  system.send({ method: 'POST', path, body, ip, headers: { ...samePage, ...headers } });
const signIn = (email: string, password: string, headers: Record<string, string> = {}, ip = freshIp()) =>
  post(SESSION, { email, password }, headers, ip);
const setCookies = ({ headers }: Received) => (headers['set-cookie'] ?? []) as unknown as string[];
/** Adds a viewer to the team of the owner. */
const somebody = () => people.join(owner, owner.teamId, 'viewer');
const setUpBody = () => ({
  code,
  email: people.newEmail(),
  password: people.newPassword(),
  name: 'First',
  teamName: 'First team',
});

describe('an instance', () => {
  it('is set up with the code alone, and once', async () => {
    expect((await system.send({ path: '/api/manage/set-up' })).json).toEqual({
      success: true,
      needed: true,
      publicUrl: 'http://api.test',
      linkDomain: 'links.test',
      mail: false,
      passkeys: false,
      oidc: null,
    });
    code = await system.offerSetUp();
    const other = 'A'.repeat(43);
    expectError(await post('/api/manage/set-up', { ...setUpBody(), code: other }), 401, 'CODE_UNKNOWN');
    expectError(await post('/api/manage/set-up', { ...setUpBody(), password: '123456789' }), 400, 'INVALID_REQUEST');
    expectError(await post('/api/manage/set-up', { ...setUpBody(), password: 'password123' }), 400, 'PASSWORD_COMMON');
    // Each start makes a new code. The code of the earlier start is no longer valid.
    const earlier = code;
    system.clock.advance({ seconds: 1 });
    code = await system.offerSetUp();
    expectError(await post('/api/manage/set-up', { ...setUpBody(), code: earlier }), 401, 'CODE_UNKNOWN');
    expectError(
      await post('/api/manage/set-up', { ...setUpBody(), email: 'mar\u212a@example.com' }),
      400,
      'INVALID_REQUEST',
    );

    const body = setUpBody();
    const answer = await post('/api/manage/set-up', body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.person).toMatchObject({
      email: body.email,
      name: 'First',
      instanceOwner: true,
      hasPassword: true,
    });
    expect(answer.text).not.toContain(body.password);
    await system.settled();
    const person = people.signedIn(answer, body.password);
    const me = await person.send({ path: ME });
    expect(me.json).toMatchObject({ kind: 'person', teams: [{ name: 'First team', role: 'owner' }] });
    owner = { ...person, teamId: me.json.teams[0].id };

    for (const used of [earlier, code])
      expectError(await post('/api/manage/set-up', { ...setUpBody(), code: used }), 409, 'SET_UP_DONE');
    expect((await system.send({ path: '/api/manage/set-up' })).json.needed).toBe(false);
  });

  it('is set up by nobody from another site', async () => {
    for (const headers of [{ 'x-landfall': '' }, { origin: 'https://evil.example' }] as Record<string, string>[])
      expectError(await post('/api/manage/set-up', setUpBody(), headers), 403, 'CROSS_SITE');
  });
});

describe('signing in', () => {
  it('gives a session as a cookie that no script reads, and nowhere else', async () => {
    const { email, password } = await somebody();
    const answer = await signIn(` ${email.toUpperCase()} `, password, { 'user-agent': ANDROID });
    expect(answer.status, answer.text).toBe(200);
    const [session = '', device = ''] = setCookies(answer);
    expect(session).toMatch(/^landfall=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(device).toMatch(/^landfall-device=[\w-]{43}\.[\w-]{22}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.json.session).toMatchObject({ current: true, userAgent: 'Chrome on Android' });
    const ids = cookiesOf(answer).split(/; |=/);
    for (const id of [ids[1]!, ids[3]!]) expect(answer.text).not.toContain(id);
    const maxAge = Number(/Max-Age=(\d+)/.exec(session)![1]);
    expect(maxAge).toBeGreaterThan(89 * 86_400);
    expect(maxAge).toBeLessThanOrEqual(90 * 86_400);
  });

  it('ends the session that the browser had before, whoever was signed in there', async () => {
    const person = await somebody();
    const elsewhere = await people.signIn(person);
    const other = await somebody();
    expect((await signIn(person.email, 'not the password', { cookie: person.cookie })).status).toBe(401);
    await system.settled();
    expect((await person.send({ path: ME })).status).toBe(200);
    const again = people.signedIn(
      await signIn(person.email, person.password, { cookie: person.cookie }),
      person.password,
    );
    await system.settled();
    expectError(await person.send({ path: ME }), 401, 'NOT_SIGNED_IN');
    const another = people.signedIn(
      await signIn(other.email, other.password, { cookie: again.cookie }),
      other.password,
    );
    await system.settled();
    expectError(await again.send({ path: ME }), 401, 'NOT_SIGNED_IN');
    // Sessions in other browsers stay signed in.
    for (const stays of [another, elsewhere]) expect((await stays.send({ path: ME })).status).toBe(200);
  });

  it('answers the same for a wrong password and for an email that nobody has', async () => {
    const { email } = await somebody();
    const [wrong, nobody] = [
      await signIn(email, 'not the password'),
      await signIn(people.newEmail(), 'not the password'),
    ];
    for (const answer of [wrong, nobody]) {
      expectError(answer, 401, 'WRONG_CREDENTIALS');
      expect(setCookies(answer)).toEqual([]);
    }
    expect(wrong.text).toBe(nobody.text);
  });

  it('is limited by address, whoever is tried', async () => {
    const ip = freshIp();
    const answers: Received[] = [];
    for (let i = 0; i < 21; i++) answers.push(await signIn(people.newEmail(), 'not the password', {}, ip));
    expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(new Array(20).fill(401));
    expectError(answers[20]!, 429, 'RATE_LIMITED');
    expect(answers[20]!.headers['ratelimit-limit']).toBe('20');
  });

  it('turns many strangers at once away early, and lets a browser in that is known', async () => {
    const { email, password } = await somebody();
    const known = { cookie: cookiesOf(await signIn(email, password)) };
    const forged = { cookie: `landfall-device=${'A'.repeat(43)}.${'A'.repeat(22)}` };
    const ofOther = { cookie: cookiesOf(await signIn(owner.email, owner.password)) };
    const turnedAway: Received[] = [];
    let admitted: Promise<Received>[] = [];
    // Nobody who is admitted gets further than this table, so that the whole crowd arrives before one leaves.
    await database.transaction(async (tx) => {
      await tx.rows('lock table account.known_places');
      const crowd = Array.from({ length: 40 }, (_, i) =>
        signIn(people.newEmail(), 'not the password', [{}, forged, ofOther][i % 3]),
      );
      for (const answer of crowd) void answer.then((one) => one.status === 429 && turnedAway.push(one));
      await expect.poll(() => turnedAway.length).toBe(24);
      admitted = [...crowd, signIn(email, password, known)];
    });
    const answers = await Promise.all(admitted);
    expect(answers.pop()!.status).toBe(200);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(16);
    for (const answer of turnedAway) expectError(answer, 429, 'SIGN_IN_BUSY');
  });

  it('from another site is refused, so that nobody is signed in as somebody else', async () => {
    const { email, password } = await somebody();
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'x-landfall': '' }] as Record<
      string,
      string
    >[]) {
      const answer = await signIn(email, password, headers);
      expectError(answer, 403, 'CROSS_SITE');
      expect(setCookies(answer)).toEqual([]);
    }
    // A program sends no Origin header.
    const program = await system.send({
      method: 'POST',
      path: SESSION,
      body: { email, password },
      headers: { 'x-landfall': '1' },
    });
    expect(program.status).toBe(200);
  });
});

describe('a session', () => {
  it('ends when its person signs out, and the cookie is taken', async () => {
    const person = await somebody();
    const other = await people.signIn(person);
    const out = await person.send(del(SESSION));
    expect(out.status).toBe(200);
    expect(setCookies(out)).toEqual(['landfall=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
    await system.settled();
    expectError(await person.send({ path: ME }), 401, 'NOT_SIGNED_IN');
    expect((await other.send({ path: ME })).status).toBe(200);
  });

  it('is listed with its browser, and ended from another one', async () => {
    const person = await somebody();
    const answer = await signIn(person.email, person.password, { 'user-agent': IPHONE });
    const phone = people.signedIn(answer, person.password);
    const { json } = await person.send({ path: `${ME}/sessions` });
    expect(json.sessions).toHaveLength(2);
    expect(json.sessions.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
    const lost = json.sessions.find((one: { current: boolean }) => !one.current);
    expect(lost).toMatchObject({ userAgent: 'Safari on iPhone', userId: person.id });
    // A person cannot end the sessions of another person.
    const stranger = await somebody();
    expectError(await stranger.send(del(`${ME}/sessions/${lost.id}`)), 404, 'SESSION_NOT_FOUND');
    const ended = await person.send(del(`${ME}/sessions/${lost.id}`));
    expect(ended.json).toEqual({ success: true, ended: 1 });
    await system.settled();
    expectError(await phone.send({ path: ME }), 401, 'NOT_SIGNED_IN');
  });
});

describe('a password', () => {
  it('is changed by who knows it: every session ends, and this browser gets another one', async () => {
    const person = await somebody();
    const other = await people.signIn(person);
    const next = people.newPassword();
    const change = (current: string, to: string) =>
      person.send({ method: 'POST', path: `${ME}/password`, body: { current, next: to } });
    expectError(await change('not the password', next), 401, 'WRONG_CREDENTIALS');
    expectError(await change(person.password, 'short'), 400, 'INVALID_REQUEST');
    expectError(await change(person.password, 'password123'), 400, 'PASSWORD_COMMON');

    const changed = await change(person.password, next);
    expect(changed.status, changed.text).toBe(200);
    await system.settled();
    for (const old of [person, other]) expectError(await old.send({ path: ME }), 401, 'NOT_SIGNED_IN');
    expect((await people.signedIn(changed, next).send({ path: ME })).status).toBe(200);
    expectError(await signIn(person.email, person.password), 401, 'WRONG_CREDENTIALS');
    expect((await signIn(person.email, next)).status).toBe(200);
  });
});

describe('me', () => {
  it('is who calls, with their teams', async () => {
    const person = await somebody();
    const { json } = await person.send({ path: ME });
    expect(json).toMatchObject({
      kind: 'person',
      person: { id: person.id, email: person.email, instanceOwner: false, hasPassword: true },
      scope: null,
      teams: [{ id: owner.teamId, role: 'viewer' }],
    });
    expect((await system.manage({ path: ME })).json).toEqual({
      success: true,
      kind: 'operator',
      person: null,
      scope: null,
      teams: [],
      identities: [],
    });
    const renamed = await person.send(patch(ME, { name: 'Ada' }));
    expect(renamed.json.person).toMatchObject({ name: 'Ada', email: person.email });
  });
});
