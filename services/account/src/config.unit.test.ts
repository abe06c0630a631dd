import { expect, it } from 'vitest';
import { accountConfig, initOwnerOf, rulesOf } from './config.ts';
import { DEFAULT_RULES } from './domain/rules.ts';

const env = {
  KAFKA_BROKERS: 'kafka:9092',
  DATABASE_URL: 'postgresql://db/landfall',
  SEAL_SECRET: 'a secret of thirty-two characters',
};

it('takes the token of the owner, in its form only', () => {
  const OWNER_TOKEN = 'lf_0123456789abcdef0123456789abcdef';
  expect(accountConfig({ ...env, OWNER_TOKEN })).toMatchObject({ OWNER_TOKEN, METRICS_PORT: 9464, LOG_LEVEL: 'info' });
  expect(accountConfig(env).OWNER_TOKEN).toBeUndefined();
  // The error contains the name of the variable, but not its value.
  expect(() => accountConfig({ ...env, OWNER_TOKEN: 'swordfish' })).toThrow(
    'OWNER_TOKEN must be lf_ and 32 hexadecimal digits.',
  );
});

it('takes a first owner with their password, or neither', () => {
  const LANDFALL_INIT_OWNER_EMAIL = ' Ada@Example.com';
  const LANDFALL_INIT_OWNER_PASSWORD = 'correct horse battery';
  const ownerOf = (given: object) => initOwnerOf(accountConfig({ ...env, ...given }));
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
  expect(() => accountConfig({ ...env, KAFKA_BROKERS: undefined })).toThrow('npm start');
  expect(() => accountConfig({ ...env, DATABASE_URL: undefined })).toThrow('DATABASE_URL is not set.');
  expect(() => accountConfig({ ...env, SEAL_SECRET: undefined })).toThrow('SEAL_SECRET is not set.');
});

it('takes what people may make', () => {
  const rules = (given: object) => rulesOf(accountConfig({ ...env, ...given }));
  expect(rules({})).toEqual(DEFAULT_RULES);
  expect(
    rules({ TEAM_CREATION: 'anyone', MAX_APPS_PER_TEAM: '3', MAX_FORMER_SUBDOMAINS: '0', DEFAULT_PLAN: 'free = 1000' }),
  ).toEqual({
    ...DEFAULT_RULES,
    teamCreation: 'anyone',
    appsPerTeam: 3,
    formerSubdomains: 0,
    plan: { name: 'free', linksPerMonth: 1_000 },
  });
  expect(rules({ DEFAULT_PLAN: 'basic' }).plan).toEqual({ name: 'basic', linksPerMonth: null });
  for (const DEFAULT_PLAN of ['=5', 'free=many', 'free=99999999999'])
    expect(() => rules({ DEFAULT_PLAN }), DEFAULT_PLAN).toThrow('DEFAULT_PLAN');
  expect(() => rules({ TEAM_CREATION: 'everyone' })).toThrow('TEAM_CREATION');
});
