import { StartError } from '@landfall/runtime';
import { describe, expect, it } from 'vitest';
import { consoleConfig, consoleProcessConfig, DEFAULT_RULES, initOwnerOf } from './config.ts';
import { oidcOf } from './oidc/settings.ts';

const env = {
  KAFKA_BROKERS: 'kafka:9092',
  DATABASE_URL: 'postgresql://db/landfall',
  HASH_SECRET: 'a secret of thirty-two characters',
  SEAL_SECRET: 'another of thirty-two characters',
};

it('takes the token of the owner, in its form only', () => {
  const OWNER_TOKEN = 'lf_0123456789abcdef0123456789abcdef';
  expect(consoleProcessConfig({ ...env, OWNER_TOKEN })).toMatchObject({
    OWNER_TOKEN,
    METRICS_PORT: 9464,
    LOG_LEVEL: 'info',
  });
  expect(consoleProcessConfig(env).OWNER_TOKEN).toBeUndefined();
  // The error contains the name of the variable, but not its value.
  expect(() => consoleProcessConfig({ ...env, OWNER_TOKEN: 'swordfish' })).toThrow(
    'OWNER_TOKEN must be lf_ and 32 hexadecimal digits.',
  );
});

it('takes a first owner with their password, or neither', () => {
  const LANDFALL_INIT_OWNER_EMAIL = ' Ada@Example.com';
  const LANDFALL_INIT_OWNER_PASSWORD = 'correct horse battery';
  const ownerOf = (given: object) => initOwnerOf(consoleProcessConfig({ ...env, ...given }));
  expect(ownerOf({})).toBeUndefined();
  expect(ownerOf({ LANDFALL_INIT_OWNER_EMAIL, LANDFALL_INIT_OWNER_PASSWORD })).toEqual({
    email: 'ada@example.com',
    password: LANDFALL_INIT_OWNER_PASSWORD,
  });
  for (const half of [{ LANDFALL_INIT_OWNER_EMAIL }, { LANDFALL_INIT_OWNER_PASSWORD }])
    expect(() => ownerOf(half)).toThrow(
      /^LANDFALL_INIT_OWNER_EMAIL and LANDFALL_INIT_OWNER_PASSWORD need each other\.$/,
    );
  expect(() => ownerOf({ LANDFALL_INIT_OWNER_EMAIL: 'ada' })).toThrow('LANDFALL_INIT_OWNER_EMAIL must be an email');
  expect(() => ownerOf({ LANDFALL_INIT_OWNER_EMAIL: 'mar\u212a@example.com' })).toThrow('no invisible character');
});

it('says what every worker needs', () => {
  expect(() => consoleProcessConfig({ ...env, KAFKA_BROKERS: undefined })).toThrow('npm start');
  expect(() => consoleProcessConfig({ ...env, DATABASE_URL: undefined })).toThrow('DATABASE_URL is not set.');
  expect(() => consoleProcessConfig({ ...env, SEAL_SECRET: undefined })).toThrow('SEAL_SECRET is not set');
});

it('takes what people may make', () => {
  const rules = (given: object) => consoleProcessConfig({ ...env, ...given });
  expect(rules({})).toMatchObject(DEFAULT_RULES);
  const few = { TEAM_CREATION: 'anyone', MAX_APPS_PER_TEAM: 3, MAX_FORMER_SUBDOMAINS: 0 };
  expect(
    rules({ ...few, MAX_APPS_PER_TEAM: '3', MAX_FORMER_SUBDOMAINS: '0', DEFAULT_PLAN: 'free = 1000' }),
  ).toMatchObject({
    ...few,
    DEFAULT_PLAN: { name: 'free', linksPerMonth: 1_000 },
  });
  expect(rules({ DEFAULT_PLAN: 'basic' }).DEFAULT_PLAN).toEqual({ name: 'basic', linksPerMonth: null });
  for (const DEFAULT_PLAN of ['=5', 'free=many', 'free=99999999999'])
    expect(() => rules({ DEFAULT_PLAN }), DEFAULT_PLAN).toThrow('DEFAULT_PLAN');
  expect(() => rules({ TEAM_CREATION: 'everyone' })).toThrow('TEAM_CREATION');
});

describe('the settings of the management API', () => {
  it('accepts DNS servers by their addresses, with and without a port', () => {
    const read = (DNS_SERVERS?: string) => consoleConfig({ ...env, DNS_SERVERS }).DNS_SERVERS;
    expect(read()).toEqual([]);
    const servers = ['1.1.1.1', '127.0.0.1:5353', '[2606:4700::1111]', '[::1]:53', '2606:4700::1111'];
    expect(read(servers.join(', '))).toEqual(servers);
  });

  it.each(['dns.example', '1.1.1.1, 8.8.8.8:dns'])('refuse the DNS servers %s', (DNS_SERVERS) => {
    expect(() => consoleConfig({ ...env, DNS_SERVERS })).toThrow(/^DNS_SERVERS /);
  });

  const oidc = {
    OIDC_ISSUER: 'https://sso.example/realms/main',
    OIDC_CLIENT_ID: 'landfall',
    OIDC_CLIENT_SECRET: 'hidden from logs',
  };
  const start = (given: NodeJS.ProcessEnv) => () => consoleConfig({ ...env, ...given });

  it('reads an OpenID Connect provider', () => {
    expect(oidcOf(start({})())).toBeUndefined();
    expect(oidcOf(start({ OIDC_ISSUER: '', OIDC_DOMAINS: '' })())).toBeUndefined();
    expect(oidcOf(start(oidc)())).toEqual({
      issuer: oidc.OIDC_ISSUER,
      clientId: 'landfall',
      clientSecret: oidc.OIDC_CLIENT_SECRET,
      name: 'sso.example',
      domains: [],
    });
    const more = { OIDC_NAME: 'Example', OIDC_DOMAINS: 'Example.com, example.co.uk,' };
    expect(oidcOf(start({ ...oidc, ...more })())).toMatchObject({
      name: 'Example',
      domains: ['example.com', 'example.co.uk'],
    });
    for (const OIDC_ISSUER of ['http://localhost:4000', 'http://127.0.0.1:4000/x', 'http://[::1]:4000'])
      expect(start({ ...oidc, OIDC_ISSUER })).not.toThrow();
  });

  it.each([
    ['OIDC_CLIENT_ID is not set, and OIDC_ISSUER is', { OIDC_ISSUER: oidc.OIDC_ISSUER }],
    ['OIDC_CLIENT_SECRET is not set, and OIDC_ISSUER is', { ...oidc, OIDC_CLIENT_SECRET: '' }],
    ['OIDC_ISSUER is not set, and OIDC_CLIENT_ID is', { ...oidc, OIDC_ISSUER: '' }],
    ['OIDC_ISSUER is not set, and OIDC_NAME is', { OIDC_NAME: 'Example' }],
    ['OIDC_ISSUER must be an https URL', { ...oidc, OIDC_ISSUER: 'sso.example' }],
    ['OIDC_ISSUER must be an https URL', { ...oidc, OIDC_ISSUER: 'http://sso.example' }],
    ['OIDC_ISSUER must be an https URL', { ...oidc, OIDC_ISSUER: 'http://localhost.example' }],
    ['OIDC_DOMAINS must be domains', { ...oidc, OIDC_DOMAINS: '@example.com' }],
    ['OIDC_DOMAINS must be domains', { ...oidc, OIDC_DOMAINS: 'example.com example.org' }],
  ])('stops the start with "%s"', (sentence, given) => {
    expect(start(given)).toThrow(StartError);
    expect(start(given)).toThrow(new RegExp(`^${sentence}`));
    expect(start(given)).not.toThrow(/hidden/);
  });
});
