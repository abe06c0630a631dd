// PostgreSQL and Redis: the findings for given facts.
import { expect, it } from 'vitest';
import type { DatabaseFacts } from '../facts/database-repository.ts';
import type { RedisFacts } from '../facts/redis-facts.ts';
import { databaseFinding, migrationsFinding, redisFinding } from './check-servers.ts';

const postgres: DatabaseFacts = {
  ms: 2,
  version: '17.2',
  versionNumber: 170_002,
  maxConnections: 100,
  reserved: 3,
  used: 12,
  sizeBytes: 2 ** 20 * 48,
  readOnly: false,
  clock: { now: 0, askedAt: 0, answeredAt: 0 },
  migrations: { missing: [], later: [] },
};
const setup = {
  how: 'services over Kafka',
  databaseUrl: 'postgresql://ann:opensesame@db:5432/landfall?sslmode=require',
} as const;
const database = (more: Partial<DatabaseFacts>) => databaseFinding({ facts: { ...postgres, ...more } }, setup);

it.each<[string, Partial<DatabaseFacts>, string, string]>([
  ['fine', {}, 'ok', 'PostgreSQL 17.2 answers in 2 ms; 12 of 97 connections used; 48 MB'],
  ['old', { version: '13.1', versionNumber: 130_001 }, 'fail', 'too old'],
  ['a replica', { readOnly: true }, 'fail', 'takes no writes'],
  ['nearly full', { used: 92 }, 'warn', 'nearly all connections'],
  ['slow', { ms: 101 }, 'warn', 'that is slow'],
])('a database that is %s', (_, more, state, says) => {
  expect(database(more)).toMatchObject({ state, says: expect.stringContaining(says) });
});

it('needs room for the larger pool of one process', () => {
  const room = (how: 'npm start' | 'services over Kafka') =>
    databaseFinding({ facts: { ...postgres, used: 85 } }, { ...setup, how });
  expect(room('services over Kafka').state).toBe('ok');
  expect(room('npm start').state).toBe('warn');
});

it.each([
  ['28P01', 'password authentication failed', 'user and password'],
  ['3D000', 'database "x" does not exist', 'Create the database'],
  ['53300', 'sorry, too many clients already', 'max_connections'],
  ['XX000', 'anything', 'no firewall'],
])('a database that refuses with %s says what to do, and no password', (code, message, remedy) => {
  const found = databaseFinding({ error: Object.assign(new Error(message), { code }) }, setup);
  expect(found).toMatchObject({
    state: 'fail',
    says: `PostgreSQL at postgresql://db:5432/landfall cannot be used: ${message}`,
  });
  expect(found.remedy).toContain(remedy);
});

it('migrations are applied, missing, ahead or at fault', () => {
  expect(migrationsFinding({ missing: [], later: [] }).state).toBe('ok');
  expect(migrationsFinding({ missing: ['a', 'b'], later: [] })).toMatchObject({
    state: 'fail',
    says: '2 migrations are missing: a, b',
  });
  expect(migrationsFinding({ missing: [], later: ['z'] }).state).toBe('warn');
  expect(migrationsFinding({ missing: [], later: [], fault: 'It is broken.' })).toMatchObject({
    state: 'fail',
    remedy: 'It is broken.',
  });
});

const redis: RedisFacts = {
  ms: 0.4,
  version: '7.2.1',
  role: 'master',
  maxMemory: 0,
  usedMemory: 10,
  policy: 'noeviction',
  clock: { now: 0, askedAt: 0, answeredAt: 0 },
};

it.each<[string, Partial<RedisFacts>, string, string]>([
  ['fine', {}, 'ok', 'Redis 7.2.1 answers in 0.4 ms'],
  ['bounded, and lets go', { maxMemory: 100, policy: 'volatile-ttl' }, 'ok', 'volatile-ttl'],
  ['bounded, and keeps', { maxMemory: 100 }, 'warn', 'once full'],
  ['full', { maxMemory: 100, usedMemory: 95 }, 'fail', 'nearly full'],
  ['a replica', { role: 'slave' }, 'fail', 'replica'],
  ['slow', { ms: 30 }, 'warn', 'no longer than 50 ms'],
  ['too slow', { ms: 51 }, 'fail', 'count by themselves'],
])('a Redis that is %s', (_, more, state, says) => {
  expect(redisFinding({ facts: { ...redis, ...more } }, 'redis://r')).toMatchObject({
    state,
    says: expect.stringContaining(says),
  });
});
