import { DATABASE_SLOW_MS, type DatabaseFacts } from '../facts/database-repository.ts';
import type { Found } from '../facts/facts.ts';
import { REDIS_PATIENCE_MS as PATIENCE_MS, REDIS_SLOW_MS, type RedisFacts } from '../facts/redis-facts.ts';
import type { Setup } from '../facts/setup.ts';
import { counted, fail, ok, reasonOf, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';
import { shownUrl } from '../scrub.ts';

export const databaseCheck: Check = {
  name: 'database',
  async run({ setup, database }) {
    if (database) return databaseFinding(await database(), setup);
    if (setup.how !== 'npm start')
      return skipped('DATABASE_URL is not set', 'Set DATABASE_URL as the workers have it.');
    return fail(
      'npm start does not run here: its data folder has no database-url, and there is no DATABASE_URL',
      'Start it, or name its folder in LANDFALL_DATA. For other ways to run set KAFKA_BROKERS and DATABASE_URL as the services have them.',
    );
  },
};

/** The maximum number of connections that one more process of Landfall opens. */
const POOLS = { 'npm start': 16, 'npm run stack': 6, 'services over Kafka': 6 } as const;
const OLDEST = 140_000;

export function databaseFinding(
  found: Found<DatabaseFacts>,
  { how, databaseUrl = '' }: Pick<Setup, 'how' | 'databaseUrl'>,
): Said {
  if ('error' in found) {
    const { code = '' } = found.error as { code?: string };
    return fail(
      `PostgreSQL at ${shownUrl(databaseUrl)} cannot be used: ${reasonOf(found.error)}`,
      REMEDIES[code] ?? 'See that PostgreSQL runs and that no firewall is in between.',
    );
  }
  const { ms, version, versionNumber, maxConnections, reserved, used, sizeBytes, readOnly } = found.facts;
  const room = maxConnections - reserved;
  const facts = { version, ms, used, connections: room, sizeBytes };
  const says = `PostgreSQL ${version} answers in ${ms} ms; ${used} of ${room} connections used; ${megabytes(sizeBytes)}`;
  if (versionNumber < OLDEST)
    return fail(`PostgreSQL ${version} is too old`, 'Landfall needs PostgreSQL 14 or newer.', facts);
  if (readOnly)
    return fail(
      `PostgreSQL ${version} takes no writes: it follows another server, or is set to read only`,
      'Point DATABASE_URL to the primary.',
      facts,
    );
  if (room - used < POOLS[how])
    return warn(
      `${says}: nearly all connections are taken`,
      `One more process of Landfall takes up to ${counted(POOLS[how], 'connection')}: raise max_connections, or run fewer processes (docs/reference/limits.md has the pools).`,
      facts,
    );
  if (ms > DATABASE_SLOW_MS)
    return warn(
      `${says}: that is slow`,
      'See whether it is busy or far away: each batch of messages waits for it several times.',
      facts,
    );
  return ok(says, facts);
}

const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start PostgreSQL, or correct the host and port in DATABASE_URL.',
  ENOTFOUND: 'Correct the host in DATABASE_URL, or the name service.',
  '28P01': 'Correct the user and password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or let it in in pg_hba.conf.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections, or end what holds so many connections.',
  '57P03': 'It is starting or stopping: wait a moment and look into its log.',
};

const megabytes = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;

export const migrationsCheck: Check = {
  name: 'migrations',
  async run({ database }) {
    const found = await database?.();
    return found && 'facts' in found
      ? migrationsFinding(found.facts.migrations)
      : skipped('the database does not answer');
  },
};

export function migrationsFinding({ missing, later, fault }: DatabaseFacts['migrations']): Said {
  const facts = { missing, later };
  if (fault !== undefined) return fail('this version cannot run on these tables', fault, facts);
  if (missing.length > 0)
    return fail(
      `${counted(missing.length, 'migration is', 'migrations are')} missing: ${some(missing)}`,
      'npm run landfall -- migrate, or start anything of this version: it brings the tables up to date before it serves.',
      facts,
    );
  if (later.length === 0) return ok('all of this version are applied');
  return warn(
    `the tables are of a later version (${some(later)}); this one runs on them`,
    'Fine while a later version is rolled out. Otherwise this checkout is older than what runs: update it.',
    facts,
  );
}

export const redisCheck: Check = {
  name: 'redis',
  async run({ setup, redis }) {
    if (redis) return redisFinding(await redis(), shownUrl(setup.redisUrl!));
    if (!setup.kafka) return skipped('there is none: one process counts limits by itself');
    return skipped(
      'REDIS_URL is not set',
      'With several gateways set it, here and for them, or each counts limits by itself.',
    );
  },
};

const MOST_OF_IT = 0.9;
const NEARER = 'Bring it nearer to the gateways, or find out what keeps it busy (SLOWLOG).';

export function redisFinding(found: Found<RedisFacts>, where: string): Said {
  if ('error' in found)
    return fail(
      `Redis at ${where} cannot be used: ${reasonOf(found.error)}. Each gateway counts limits by itself meanwhile`,
      'Start Redis, or correct REDIS_URL (host, port, password, rediss:// for TLS).',
    );
  const { clock, ...facts } = found.facts;
  const { ms, version, role, maxMemory, usedMemory, policy } = facts;
  const says = `Redis ${version} answers in ${ms.toFixed(ms < 10 ? 1 : 0)} ms; maxmemory-policy ${policy || 'unknown'}`;
  if (role === 'slave')
    return fail(`Redis ${version} is a replica and takes no counts`, 'Point REDIS_URL to the primary.', facts);
  if (ms > PATIENCE_MS)
    return fail(`${says}: gateways wait ${PATIENCE_MS} ms and then count by themselves`, NEARER, facts);
  if (ms > REDIS_SLOW_MS) return warn(`${says}: gateways wait no longer than ${PATIENCE_MS} ms`, NEARER, facts);
  if (maxMemory === 0 || policy !== 'noeviction') return ok(says, facts);
  const full = usedMemory / maxMemory > MOST_OF_IT;
  return (full ? fail : warn)(
    `${says}${full ? ', and nearly full' : ''}: once full it takes no counts`,
    'Set maxmemory-policy to volatile-ttl: counts end by themselves within a minute, and a full Redis refuses them.',
    facts,
  );
}
