// A service's handlers over the in-process bus, on PostgreSQL, in every mode of redelivery: what a second delivery may
// not change is checked for every test of the suite, without the test knowing.
import { type Bus, createInProcessBus, type InProcessBus } from '@landfall/bus';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase, emptyTestDatabase, type TestDatabase } from '@landfall/db/testing';
import type { Logger } from '@landfall/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from 'vitest';
import { type Clock, fakeClock } from '../clock.ts';
import { testLogger } from '../logger.ts';
import { type RedeliveringBus, type Redelivery, redelivering } from './redelivery.ts';

/** The tools of a handler's test. Valid inside tests and hooks. */
export interface Fixture {
  readonly bus: InProcessBus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface HandlerSuiteOptions {
  /** Registers the service, e.g. `linkService`. */
  service(deps: { bus: Bus; database: Database; log: Logger }): void;
  /** Columns that a later delivery may move on, as `schema.table.column`. */
  lastSeen?: readonly string[];
}

const modes: Redelivery[] = ['doubled', 'again', 'recorded'];

export function handlerSuite(name: string, options: HandlerSuiteOptions, tests: (fixture: Fixture) => void): void {
  for (const redelivery of modes) {
    describe(`${name}, messages ${redelivery}`, () => {
      const fixture = {} as { -readonly [K in keyof Fixture]: Fixture[K] };
      let testDatabase: TestDatabase;
      let read: () => Promise<Record<string, string[]>>;
      let bus: RedeliveringBus;

      beforeAll(async () => {
        testDatabase = await createTestDatabase(inject('databaseServerUrl'));
        fixture.database = connect({ url: testDatabase.url, max: 8 });
        if (redelivery === 'recorded') read = await readerOfTables(fixture.database, options.lastSeen);
      });

      afterAll(async () => {
        await fixture.database.close();
        await testDatabase.drop();
      });

      beforeEach(async () => {
        await emptyTestDatabase(fixture.database);
        fixture.clock = fakeClock();
        fixture.log = testLogger();
        const { log, clock } = fixture;
        bus = redelivering(createInProcessBus({ log, isTransient, clock }), redelivery, isTransient);
        fixture.bus = bus;
        options.service(fixture);
        await bus.start();
      });

      afterEach(async () => {
        await bus.idle();
        if (redelivery === 'recorded') {
          const before = await read();
          await bus.replay();
          await bus.idle();
          expect(await read()).toEqual(before);
        }
        expect(bus.violations).toEqual([]);
        await bus.stop();
      });

      tests(fixture);
    });
  }
}

/** A fixture with each message delivered once, for what takes long or is about something else. */
export async function openFixture({ service }: HandlerSuiteOptions): Promise<Fixture & { close(): Promise<void> }> {
  const testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  const database = connect({ url: testDatabase.url, max: 8 });
  const clock = fakeClock();
  const log = testLogger();
  const bus = createInProcessBus({ log, isTransient, clock });
  service({ bus, database, log });
  await bus.start();
  return {
    bus,
    database,
    clock,
    log,
    async close() {
      await bus.stop();
      await database.close();
      await testDatabase.drop();
    },
  };
}

/** Returns a function that reads every row of every table, as text, without the columns that may move on. */
async function readerOfTables(
  database: Database,
  without: readonly string[] = [],
): Promise<() => Promise<Record<string, string[]>>> {
  const columns = await database.rows<{ schema: string; name: string; columns: string[] }>(
    `select table_schema as schema, table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns
     where table_schema in ('account', 'link', 'attribution', 'push', 'analytics') group by 1, 2 order by 1, 2`,
  );
  const statements = columns.map((table) => {
    const name = `${table.schema}.${table.name}`;
    const kept = table.columns.filter((column) => !without.includes(`${name}.${column}`));
    return `select '${name}' as name, row(${kept.map((column) => `"${column}"`).join(', ')})::text as row from ${name}`;
  });
  const all = `${statements.join(' union all ')} order by 1, 2`;
  return async () => {
    const rows = await database.rows<{ name: string; row: string }>(all);
    const named = Map.groupBy(rows, ({ name }) => name);
    return Object.fromEntries([...named].map(([name, found]) => [name, found.map(({ row }) => row)]));
  };
}
