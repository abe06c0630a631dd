// The users of an app, by plain id from the app or by token signed by the backend of the app.
// Over Kafka: restores wait for stored links, and gateways for changed secrets.
import { randomUUID } from 'node:crypto';
import { freshIp, IPHONE, type Received, type TestApp } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { del, expectError, inOneProcess, patch, post, signJwt, systemOfFile } from '../calls.ts';

const { system } = await systemOfFile();
const once = inOneProcess();

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function sign(...parts: Parameters<typeof signJwt>): string {
  const token = signJwt(...parts);
  system.keepsSecret('identity token', token);
  return token;
}
const seconds = (inSeconds = 600) => Math.floor(system.clock() / 1000) + inSeconds;
const tokenFor = (secret: string, sub: string, exp = seconds()) => sign(secret, { sub, exp });
const newEmail = () => `user-${randomUUID()}@example.com`;

async function ok(answering: Promise<Received>): Promise<Received> {
  const answer = await answering;
  expect(answer.status, answer.text).toBe(200);
  await system.settled();
  return answer;
}
const secretsOf = ({ app }: TestApp) => `/api/manage/apps/${app.id}/identity-secrets`;
async function makeSecret(app: TestApp, body = {}): Promise<{ id: string; plaintext: string }> {
  const { json } = await ok(system.manage(post(secretsOf(app), body)));
  system.keepsSecret('identity secret', json.plaintext);
  return { id: json.secret.id, plaintext: json.plaintext };
}
const setIdentity = (app: TestApp, identity: string) =>
  system.manage(patch(`/api/manage/apps/${app.app.id}`, { identity }));

/** Returns an app with an identity secret and with the given identity setting. */
async function appWith(identity: 'preferred' | 'required') {
  const app = await system.makeApp();
  const secret = await makeSecret(app);
  await ok(setIdentity(app, identity));
  return { app, secret: secret.plaintext };
}
const on = (app: TestApp, path: string, body: object, ip = freshIp()) => system.sdk(app, { ...post(path, body), ip });
const restore = (app: TestApp, body: object, ip?: string) => on(app, '/api/deferred-deep-linking/restore', body, ip);
async function storeFor(app: TestApp, body: object) {
  const link = await system.makeLink(app);
  return ok(on(app, '/api/deferred-deep-linking/store', { linkId: link.id, ...body }));
}
const register = (app: TestApp, body: object) => on(app, '/api/push/register', { platform: 'ios', ...body });
const newDevice = () => `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
const audience = async (app: TestApp, email: string) =>
  (
    await ok(
      system.manage(post(`/api/manage/apps/${app.app.id}/notifications/audience`, { target: { userEmails: [email] } })),
    )
  ).json;

once.describe('an app that says nothing of it', () => {
  it('believes every email, and looks at no token', async () => {
    const app = await system.makeApp();
    const email = newEmail();
    await storeFor(app, { userEmail: email });
    const given = await ok(restore(app, { userEmail: email, identityToken: 'no token at all' }));
    expect(given.json.count).toBe(1);
  });

  it('asks for no token before it has a secret', async () => {
    const app = await system.makeApp();
    for (const identity of ['preferred', 'required'])
      expectError(await setIdentity(app, identity), 409, 'IDENTITY_SECRET_NEEDED');
    expectError(await setIdentity(app, 'always'), 400, 'INVALID_REQUEST');
  });
});

describe('an app that requires tokens', () => {
  it("gives a victim's links to nobody who only names their email", async () => {
    const { app, secret } = await appWith('required');
    const email = newEmail();
    await storeFor(app, { identityToken: tokenFor(secret, email) });
    expect((await ok(restore(app, { userEmail: email }))).json.count).toBe(0);
    const given = await ok(restore(app, { userEmail: email.toUpperCase(), identityToken: tokenFor(secret, email) }));
    expect(given.json).toMatchObject({ count: 1, restoredLinks: [{ matchType: 'email' }] });
  });

  once.it('stores nothing for an email that is only named', async () => {
    const { app, secret } = await appWith('required');
    const email = newEmail();
    await storeFor(app, { userEmail: email });
    expect((await ok(restore(app, { identityToken: tokenFor(secret, email) }))).json.count).toBe(0);
  });

  once.it('restores by address and fingerprint as ever', async () => {
    const { app } = await appWith('required');
    const link = await system.makeLink(app);
    const ip = freshIp();
    await system.tap(link.url, { ip, userAgent: IPHONE });
    await system.settled();
    const body = { userEmail: newEmail(), deviceFingerprint: randomUUID() };
    expect((await ok(restore(app, body, ip))).json).toMatchObject({
      count: 1,
      restoredLinks: [{ matchType: 'address' }],
    });
  });

  once.it("registers no stranger's device for a victim's pushes", async () => {
    const { app, secret } = await appWith('required');
    const email = newEmail();
    await ok(register(app, { deviceToken: newDevice(), userEmail: email }));
    const none = await audience(app, email);
    await ok(register(app, { deviceToken: newDevice(), identityToken: tokenFor(secret, email) }));
    const one = await audience(app, email);
    expect([none.targeted, one.targeted]).toEqual([0, 1]);
  });
});

once.describe('an app that prefers tokens', () => {
  it('believes who sends none, as versions of the app do that are still about', async () => {
    const { app } = await appWith('preferred');
    const email = newEmail();
    await storeFor(app, { userEmail: email });
    expect((await ok(restore(app, { userEmail: email }))).json.count).toBe(1);
  });
});

once.describe.each(['preferred', 'required'] as const)('a token, where it is %s,', (identity) => {
  it('is refused unless it is whole, of this app, of now and not for long', async () => {
    const { app, secret } = await appWith(identity);
    const other = await appWith(identity);
    const sub = newEmail();
    const good = tokenFor(secret, sub);
    const [head, , mac] = good.split('.');
    const wrong: Record<string, string> = {
      'no JWT': 'swordfish',
      'signed with another secret': tokenFor(other.secret, sub),
      'changed since': `${head}.${encoded({ sub: newEmail(), exp: seconds() })}.${mac}`,
      'not signed': `${encoded({ alg: 'none' })}.${encoded({ sub, exp: seconds() })}.`,
      'of another algorithm': sign(secret, { sub, exp: seconds() }, { alg: 'HS512', hash: 'sha512' }),
      expired: tokenFor(secret, sub, seconds(-60)),
      'not of now': sign(secret, { sub, exp: seconds(), nbf: seconds(300) }),
      'for ever': sign(secret, { sub }),
      'for more than a day': tokenFor(secret, sub, seconds(86_400 + 120)),
      'of nobody': sign(secret, { exp: seconds() }),
      'of a blank': tokenFor(secret, ' '),
      'of a number': sign(secret, { sub: 7, exp: seconds() }),
    };
    for (const [what, identityToken] of Object.entries(wrong)) {
      const answer = await restore(app, { identityToken });
      expect(answer.status, `${what}: ${answer.text}`).toBe(401);
      expectError(answer, 401, 'IDENTITY_TOKEN_INVALID');
      expect(answer.text).not.toContain(identityToken);
    }
    expectError(await restore(app, { identityToken: good, userEmail: newEmail() }), 401, 'IDENTITY_TOKEN_INVALID');
    expectError(
      await register(app, { deviceToken: newDevice(), identityToken: 'x.y.z' }),
      401,
      'IDENTITY_TOKEN_INVALID',
    );
    expectError(await restore(app, { identityToken: 'x'.repeat(4_097) }), 400, 'INVALID_REQUEST');
    // The server tolerates a small clock error.
    await ok(restore(app, { identityToken: tokenFor(secret, sub, seconds(-10)) }));
    await ok(restore(app, { identityToken: good, userEmail: ` ${sub.toUpperCase()}` }));
  });
});

describe('a secret', () => {
  it('is shown once, replaced with an overlap, and removed at once', async () => {
    const { app, secret: first } = await appWith('required');
    const second = await makeSecret(app, { overlapSeconds: 600 });
    const works = async (secret: string) =>
      (await restore(app, { identityToken: tokenFor(secret, newEmail()) })).status;
    expect([await works(first), await works(second.plaintext)]).toEqual([200, 200]);
    const listed = await ok(system.manage({ path: secretsOf(app) }));
    expect(listed.json.secrets).toHaveLength(2);
    for (const secret of [first, second.plaintext]) expect(listed.text).not.toContain(secret);
    system.clock.advance({ seconds: 601 });
    expect([await works(first), await works(second.plaintext)]).toEqual([401, 200]);
    expect((await ok(system.manage({ path: secretsOf(app) }))).json.secrets).toHaveLength(1);

    const remove = (id: string) => system.manage(del(`${secretsOf(app)}/${id}`));
    expectError(await remove(second.id), 409, 'IDENTITY_SECRET_NEEDED');
    expectError(await remove(randomUUID()), 404, 'IDENTITY_SECRET_NOT_FOUND');
    // With an overlap of 0 seconds, a leaked secret ends as soon as the next secret is created.
    const third = await makeSecret(app, { overlapSeconds: 0 });
    expect([await works(second.plaintext), await works(third.plaintext)]).toEqual([401, 200]);
    await ok(setIdentity(app, 'off'));
    expect((await ok(remove(third.id))).json.secrets).toEqual([]);
    const app2 = await ok(system.manage({ path: `/api/manage/apps/${app.app.id}` }));
    expect(app2.json.app.identity).toBe('off');
    expect(app2.text).not.toContain('v1.');
  });
});
