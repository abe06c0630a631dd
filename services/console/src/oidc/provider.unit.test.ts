// The checks of a provider's answers, and the logs of its failures. End-to-end tests try a whole provider.
import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProvider, type OidcProvider, ProviderFault } from './provider.ts';

const REDIRECT = 'http://localhost:8080/callback';
const [ours, others] = [newKey(), newKey()];
const secrets = {
  code: 'the-code',
  secret: 'the-client-secret',
  access: 'the-access-token',
  said: 'said by the provider',
};

let server: Server;
let issuer: string;
let provider: OidcProvider;
/** The next answers of the provider. */
let metadata: object;
let token: { status: number; body: object | string };
let userInfo: object;

beforeEach(async () => {
  server = createServer((req, res) => {
    const json = (status: number, body: object | string) =>
      res
        .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    if (req.url === '/.well-known/openid-configuration') return json(200, metadata);
    if (req.url === '/jwks') return json(200, { keys: [ours.jwk] });
    if (req.url === '/userinfo') return json(200, userInfo);
    return json(token.status, token.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ['RS256'],
  };
  const settings = { issuer, clientId: 'landfall', clientSecret: secrets.secret, name: 'Test', domains: [] };
  provider = createProvider(settings, REDIRECT);
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
});

const way = { state: 'the-state', nonce: 'the-nonce', verifier: 'v'.repeat(43) };
const come = (answer: Record<string, string> = { code: secrets.code }) =>
  provider.finish(new URLSearchParams({ state: way.state, ...answer }), way);

/** Makes the provider answer with an ID token with these claims. */
function says(claims: object, key = ours, header: object = {}): void {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: issuer, aud: 'landfall', sub: 'grace', iat: now, exp: now + 60, nonce: way.nonce, ...claims };
  const signed = [{ alg: 'RS256', ...header }, all].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createSign('sha256').update(signed.join('.')).sign(key.privateKey, 'base64url');
  const id_token = [...signed, signature].join('.');
  token = { status: 200, body: { access_token: secrets.access, token_type: 'Bearer', id_token } };
}

async function faultOf(promise: Promise<unknown>): Promise<ProviderFault> {
  const fault = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof ProviderFault)) throw new Error(`no fault: ${fault}`);
  for (const secret of Object.values(secrets)) expect(fault.message).not.toContain(secret);
  expect(fault.message).not.toContain('grace');
  expect(fault.message).toMatch(/\w{3}/);
  expect(fault.cause).toBeUndefined();
  return fault;
}

it('accepts an ID token that the provider has signed for us, and no other', async () => {
  says({ email: 'grace@example.com', email_verified: true, name: ' Grace ' });
  expect(await come()).toEqual({ issuer, subject: 'grace', email: 'grace@example.com', name: 'Grace' });
  const wrong: [claims: object, key?: typeof ours, header?: object][] = [
    [{}, others],
    [{}, ours, { alg: 'none' }],
    [{ nonce: 'another' }],
    [{ nonce: undefined }],
    [{ aud: 'another' }],
    [{ iss: 'https://evil.example' }],
    [{ exp: 1 }],
    [{ sub: undefined }],
  ];
  for (const [claims, key, header] of wrong) {
    says({ email: 'grace@example.com', email_verified: true, ...claims }, key, header);
    expect((await faultOf(come())).kind, JSON.stringify(claims)).toBe('failed');
  }
  token = { status: 200, body: { access_token: secrets.access, token_type: 'Bearer' } };
  expect((await faultOf(come())).kind).toBe('failed');
});

it.each([
  [{ email_verified: true }, true],
  [{ email_verified: false }, false],
  [{}, false],
  [{ email_verified: 'true' }, false],
  [{ email_verified: 1 }, false],
  // Entra ID.
  [{ xms_edov: true }, true],
  [{ xms_edov: false }, false],
  [{ xms_edov: true, email_verified: false }, false],
])('treats an email as verified for %j: %s', async (claims, verified) => {
  says({ email: 'grace@example.com', ...claims });
  expect((await come()).email).toBe(verified ? 'grace@example.com' : null);
});

it.each([
  [undefined],
  ['grace'],
  ['a@b@c'],
  [['a@b.example']],
  [`${'a'.repeat(320)}@b.example`],
  ['mar\u212a@b.example'],
])('accepts no email from %j', async (email) => {
  says({ email, email_verified: true });
  expect((await come()).email).toBeNull();
});

it('asks the userinfo endpoint when the ID token lacks claims, and accepts it for the same person only', async () => {
  metadata = { ...metadata, userinfo_endpoint: `${issuer}/userinfo` };
  says({});
  userInfo = { sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace' };
  expect(await come()).toEqual({ issuer, subject: 'grace', email: 'grace@example.com', name: 'Grace' });
  userInfo = { sub: 'another', email: 'grace@example.com', email_verified: true };
  expect((await faultOf(come())).kind).toBe('failed');
});

it('keeps names short and whole', async () => {
  for (const [name, kept] of [
    ['Grace\0 Hopper', 'Grace Hopper'],
    ['\ud800', '\ufffd'],
    ['😀'.repeat(150), '😀'.repeat(100)],
    [' ', null],
    [7, null],
  ]) {
    says({ name });
    expect((await come()).name).toBe(kept);
  }
});

it('names the failure without any personal data', async () => {
  for (const [answer, kind, isOurs] of [
    [{ error: 'access_denied', error_description: secrets.said }, 'denied', false],
    [{ error: 'temporarily_unavailable' }, 'provider-unavailable', false],
    [{ error: 'invalid_scope' }, 'failed', true],
    [{ error: secrets.said }, 'failed', false],
  ] as const)
    expect(await faultOf(come(answer))).toMatchObject({ kind, isOurs });
  for (const [status, body, kind, isOurs] of [
    [401, { error: 'invalid_client', error_description: secrets.said }, 'failed', true],
    [400, { error: 'invalid_grant', error_description: secrets.code }, 'failed', false],
    [503, `<p>${secrets.said}</p>`, 'provider-unavailable', false],
    [200, `<p>${secrets.said}</p>`, 'failed', false],
    [200, { error: secrets.access }, 'failed', false],
  ] as const) {
    token = { status, body };
    expect(await faultOf(come()), JSON.stringify(body)).toMatchObject({ kind, isOurs });
  }
});

it('loads the metadata again after a failure, and refuses another issuer', async () => {
  const right = metadata;
  metadata = { ...right, issuer: 'https://evil.example' };
  expect((await faultOf(provider.begin())).kind).toBe('provider-unavailable');
  metadata = right;
  const { url, ...begun } = await provider.begin();
  const parameters = Object.fromEntries(new URL(url).searchParams);
  expect(parameters).toMatchObject({
    client_id: 'landfall',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    state: begun.state,
    nonce: begun.nonce,
  });
  expect(url).not.toContain(begun.verifier);
  const again = await provider.begin();
  for (const name of ['state', 'nonce', 'verifier'] as const) expect(again[name]).not.toBe(begun[name]);
  server.close();
  server.closeAllConnections();
  expect((await faultOf(come())).kind).toBe('provider-unavailable');
  expect((await faultOf(provider.begin())).kind).toBe('provider-unavailable');
});

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: undefined } };
}
