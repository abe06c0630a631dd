// Reads the state of PostgreSQL, and the apps when the management API does not list them. Changes nothing.
import { connect, countDeadLetters, type MigrationState, migrationState } from '@landfall/db';
import { type Clock, clockOf, quickestRoundTrip } from './ask.ts';

export interface DatabaseFacts {
  /** Milliseconds of the quickest round trip. */
  ms: number;
  version: string;
  /** For example 170002 for 17.2. */
  versionNumber: number;
  maxConnections: number;
  reserved: number;
  used: number;
  sizeBytes: number;
  /** It follows another server, or is set to read only. */
  readOnly: boolean;
  clock: Clock;
  migrations: MigrationState;
}

export const DATABASE_SLOW_MS = 100;
const LIMIT_MS = 2_000;

/** @param patience the factor for every time limit */
export function databaseRepository(url: string, patience: number) {
  const limit = LIMIT_MS * patience;
  const database = connect({ url, max: 2, limits: { connect: limit, statement: limit } });
  return {
    async look(): Promise<DatabaseFacts> {
      await database.rows('select 1');
      const ms = await quickestRoundTrip(() => database.rows('select 1'), DATABASE_SLOW_MS);
      const clock = await clockOf(async () => {
        const [row] = await database.rows<{ now: number }>(
          'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
        );
        return row!.now;
      });
      const [row] = await database.rows<Omit<DatabaseFacts, 'ms' | 'clock' | 'migrations'>>(
        `select current_setting('server_version') as version,
                current_setting('server_version_num')::int as "versionNumber",
                current_setting('max_connections')::int as "maxConnections",
                current_setting('superuser_reserved_connections')::int as reserved,
                (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
                pg_database_size(current_database())::float8 as "sizeBytes",
                pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "readOnly"`,
      );
      const migrations = await migrationState(database);
      return { ...row!, ms: Math.ceil(ms), clock, migrations };
    },
    letters: () => countDeadLetters(database),
    async apps() {
      const rows = await database.prisma.app.findMany({
        where: { archivedAt: null },
        take: 100,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        select: {
          name: true,
          subdomain: true,
          settings: true,
          domains: { where: { verifiedAt: { not: null } }, select: { domain: true } },
        },
      });
      return rows.map(({ domains, ...app }) => ({ ...app, domains: domains.map(({ domain }) => domain) }));
    },
    close: (): Promise<void> => database.close(),
  };
}
