import { generateKeyPairSync } from 'node:crypto';
import { PushCredentialFacts } from '@landfall/contracts';
import { describe, expect, test } from 'vitest';
import {
  PushCredentialsError,
  parsePushCredentials,
  readPushCredentials,
  writePushCredentials,
} from './push-credentials.ts';
import { createSealer } from './sealing.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey;
const pem = (key: typeof rsa) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const account = {
  type: 'service_account',
  project_id: 'shop-12345',
  private_key_id: 'abc',
  client_email: 'push@shop-12345.iam.gserviceaccount.com',
  private_key: pem(rsa),
  token_uri: 'https://somewhere.example/token',
};
const apple = { key: pem(p256), keyId: 'ABC123DEF4', teamId: 'TEAM123456', bundleId: 'com.example.shop' };

function refusedOf(kind: 'fcm' | 'apns', input: unknown): { field: string | null; message: string } {
  try {
    parsePushCredentials(kind, input);
  } catch (error) {
    expect(error).toBeInstanceOf(PushCredentialsError);
    return error as PushCredentialsError;
  }
  throw new Error('it was taken');
}

describe('a service account', () => {
  test.each([['as an object', account] as const, ['as text', JSON.stringify(account)] as const])(
    'is taken %s',
    (_, input) => {
      const { credentials, facts } = parsePushCredentials('fcm', input);
      expect(credentials).toEqual({
        kind: 'fcm',
        projectId: 'shop-12345',
        clientEmail: account.client_email,
        privateKey: account.private_key,
      });
      expect(PushCredentialFacts.parse(facts)).toEqual({
        projectId: 'shop-12345',
        clientEmail: account.client_email,
        keyId: null,
        teamId: null,
        bundleId: null,
      });
    },
  );

  test.each<[string | null, unknown]>([
    [null, 'not JSON'],
    [null, null],
    [null, []],
    ['type', { ...account, type: 'authorized_user' }],
    ['project_id', { ...account, project_id: '../other' }],
    ['project_id', { ...account, project_id: undefined }],
    ['client_email', { ...account, client_email: 'nobody' }],
    ['private_key', { ...account, private_key: undefined }],
    ['private_key', { ...account, private_key: 'x'.repeat(5_000) }],
    ['private_key', { ...account, private_key: '/etc/passwd' }],
    ['private_key', { ...account, private_key: pem(p256) }],
    [
      'private_key',
      { ...account, private_key: rsa.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) },
    ],
  ])('names %s when it is wrong', (field, input) => {
    const refused = refusedOf('fcm', input);
    expect(refused.field).toBe(field);
    expect(refused.message).toMatch(/\.$/);
    if (field) expect(refused.message).toContain(field);
    expect(refused.message).not.toMatch(/passwd|\.\.\/other|nobody|BEGIN/);
  });
});

describe("Apple's key", () => {
  test('is taken', () => {
    const { credentials, facts } = parsePushCredentials('apns', apple);
    expect(credentials).toEqual({ kind: 'apns', ...apple });
    const { key: _, ...shown } = apple;
    expect(PushCredentialFacts.parse(facts)).toEqual({ projectId: null, clientEmail: null, ...shown });
  });

  test('is kept in one form', () => {
    const old = p256.export({ type: 'sec1', format: 'pem' }).toString();
    for (const key of [
      old,
      old.replaceAll('\n', '\\n'),
      old.replaceAll('\n', '\r\n'),
      old.replaceAll('\n', '\\r\\n'),
      ` ${old}`,
    ])
      expect(parsePushCredentials('apns', { ...apple, key }).credentials).toMatchObject({ key: apple.key });
  });

  test.each<[string, unknown]>([
    ['key', { ...apple, key: undefined }],
    ['key', { ...apple, key: 'AuthKey_ABC123DEF4.p8' }],
    ['key', { ...apple, key: pem(rsa) }],
    ['key', { ...apple, key: pem(p384) }],
    ['keyId', { ...apple, keyId: 'abc' }],
    ['teamId', { ...apple, teamId: 'TEAM1234567' }],
    ['bundleId', { ...apple, bundleId: 'com.example/shop' }],
    ['bundleId', { ...apple, bundleId: '' }],
  ])('names %s when it is wrong', (field, input) => {
    const refused = refusedOf('apns', input);
    expect(refused.field).toBe(field);
    expect(refused.message).toContain(field);
  });
});

test('what is written is read again, and fits into a sealed field', () => {
  const longest = generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey;
  for (const { credentials } of [
    parsePushCredentials('fcm', { ...account, private_key: pem(longest) }),
    parsePushCredentials('apns', apple),
  ]) {
    const text = writePushCredentials(credentials);
    expect(readPushCredentials(text)).toEqual(credentials);
    expect(createSealer('a secret of at least 32 characters').seal('push credentials', text).length).toBeLessThan(
      8_192,
    );
  }
});
