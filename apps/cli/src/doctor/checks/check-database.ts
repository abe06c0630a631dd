// PostgreSQL: checks that it answers, has free connections, and has the tables of this version.
import { DATABASE_SLOW_MS, type DatabaseFacts } from '../facts/database-repository.ts';
import type { Facts, Found } from '../facts/facts.ts';
import type { Setup } from '../facts/setup.ts';
import { counted, type Finding, fail, ok, reasonOf, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';
import { shownUrl } from '../scrub.ts';

export const databaseCheck: Check<Facts> = {
  name: 'database',
  async run({ setup, database }) {
    if (!database) return [noDatabase(setup)];
    return [databaseFinding(await database(), setup)];
  },
};

export const migrationsCheck: Check<Facts> = {
  name: 'migrations',
  async run({ database }) {
    const found = await database?.();
    return [
      found && 'facts' in found
        ? migrationsFinding(found.facts.migrations)
        : skipped('migrations', 'the database does not answer'),
    ];
  },
};

function noDatabase({ how }: Setup): Finding {
  if (how === 'npm start') {
    const says = 'npm start does not run here: its data folder has no database-url, and there is no DATABASE_URL';
    return fail(
      'database',
      says,
      'Start it, or name its folder in LANDFALL_DATA. For other ways to run set KAFKA_BROKERS and DATABASE_URL as the services have them.',
    );
  }
  return skipped('database', 'DATABASE_URL is not set', 'Set DATABASE_URL as the workers have it.');
}

/** The maximum number of connections that one more process of Landfall opens. */
const POOLS = { 'npm start': 16, 'npm run stack': 6, 'services over Kafka': 6 } as const;
const OLDEST = 140_000;

export function databaseFinding(
  found: Found<DatabaseFacts>,
  { how, databaseUrl = '' }: Pick<Setup, 'how' | 'databaseUrl'>,
): Finding {
  if ('error' in found) return unreachable(found.error, shownUrl(databaseUrl));
  const { ms, version, versionNumber, maxConnections, reserved, used, sizeBytes, readOnly } = found.facts;
  const room = maxConnections - reserved;
  const facts = { version, ms, used, connections: room, sizeBytes };
  const says = `PostgreSQL ${version} answers in ${ms} ms; ${used} of ${room} connections used; ${megabytes(sizeBytes)}`;
  if (versionNumber < OLDEST)
    return fail('database', `PostgreSQL ${version} is too old`, 'Landfall needs PostgreSQL 14 or newer.', facts);
  if (readOnly)
    return fail(
      'database',
      `PostgreSQL ${version} takes no writes: it follows another server, or is set to read only`,
      'Point DATABASE_URL to the primary.',
      facts,
    );
  if (room - used < POOLS[how]) {
    const more = counted(POOLS[how], 'connection');
    const remedy = `One more process of Landfall takes up to ${more}: raise max_connections, or run fewer processes (docs/reference/limits.md has the pools).`;
    return warn('database', `${says}: nearly all connections are taken`, remedy, facts);
  }
  if (ms > DATABASE_SLOW_MS)
    return warn(
      'database',
      `${says}: that is slow`,
      'See whether it is busy or far away: each batch of messages waits for it several times.',
      facts,
    );
  return ok('database', says, facts);
}

const megabytes = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;

function unreachable(error: unknown, where: string): Finding {
  const { code = '' } = error as { code?: string };
  const remedies: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Start PostgreSQL, or correct the host and port in DATABASE_URL.',
    ENOTFOUND: 'Correct the host in DATABASE_URL, or the name service.',
    '28P01': 'Correct the user and password in DATABASE_URL.',
    '28000': 'Correct the user in DATABASE_URL, or let it in in pg_hba.conf.',
    '3D000': 'Create the database, or correct its name in DATABASE_URL.',
    '53300': 'Raise max_connections, or end what holds so many connections.',
    '57P03': 'It is starting or stopping: wait a moment and look into its log.',
  };
  const remedy = remedies[code] ?? 'See that PostgreSQL runs and that no firewall is in between.';
  return fail('database', `PostgreSQL at ${where} cannot be used: ${reasonOf(error)}`, remedy);
}

export function migrationsFinding({ missing, later, fault }: DatabaseFacts['migrations']): Finding {
  const facts = { missing, later };
  if (fault !== undefined) return fail('migrations', 'this version cannot run on these tables', fault, facts);
  if (missing.length > 0) {
    const says = `${counted(missing.length, 'migration is', 'migrations are')} missing: ${some(missing)}`;
    return fail(
      'migrations',
      says,
      'npm run landfall -- migrate, or start anything of this version: it brings the tables up to date before it serves.',
      facts,
    );
  }
  if (later.length > 0) {
    const says = `the tables are of a later version (${some(later)}); this one runs on them`;
    return warn(
      'migrations',
      says,
      'Fine while a later version is rolled out. Otherwise this checkout is older than what runs: update it.',
      facts,
    );
  }
  return ok('migrations', 'all of this version are applied');
}
