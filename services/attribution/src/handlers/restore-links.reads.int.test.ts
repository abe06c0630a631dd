// Tests that a restore reads few rows, also by plans that PostgreSQL made when the tables were empty.
import type { Context } from '@landfall/bus';
import { RestoreLinks } from '@landfall/contracts';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, rowsRead, type TestDatabase } from '@landfall/db/testing';
import { createLogger } from '@landfall/runtime';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createNewDevices } from '../new-devices.ts';
import { hashOf, id, NOON, toRestore } from '../values.testing.ts';
import { restoreLinks } from './restore-links.ts';

const TABLE = 'attribution.pending_links';
const TAPS = 3_000;

describe('a restore', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  /** The rows that the transactions have read from the table of pending links since it was last set to 0. */
  let read = 0;

  beforeEach(async () => {
    testDatabase = await createTestDatabase(inject('databaseServerUrl'));
    // A plan belongs to a connection.
    database = connect({ url: testDatabase.url, max: 1 });
  });

  afterEach(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const counted = (): Database => ({
    ...database,
    transaction: (run) =>
      database.transaction(async (tx) => {
        const before = await rowsRead(tx, TABLE);
        const result = await run(tx);
        read += (await rowsRead(tx, TABLE)) - before;
        return result;
      }),
  });

  it.each([
    ['open', null],
    ['closed', id(1)],
  ])('reads no %s taps of other addresses', async (_, closedBy) => {
    const handler = restoreLinks(
      counted(),
      createLogger({ service: 'test', level: 'silent' }),
      { late: () => false },
      createNewDevices(),
    );
    const ask = async (n: number) => {
      const context: Context = { id: id(n), now: NOON, idFor: (name) => name, expired: () => false };
      const [outcome] = await handler([{ data: RestoreLinks.input.parse(toRestore()), context }]);
      return outcome && 'reply' in outcome ? outcome.reply.matches.length : expect.unreachable();
    };
    expect(await ask(2)).toBe(0);
    await database.rows(
      `insert into attribution.pending_links
         (id, app_id, link_id, kind, original_url, tapped_at, address, user_agent, people, closed_by, closed_at)
       select gen_random_uuid(), $1, gen_random_uuid(), 'tap', 'https://a.example/x', $2::timestamptz - interval '1 minute',
         case n when 1 then $3 else sha256(n::text::bytea) end, $4, 1,
         case when n > 1 then $5::uuid end, case when n > 1 and $5::uuid is not null then $2::timestamptz end
       from generate_series(1, $6::int) n`,
      [toRestore().appId, NOON, bytes(toRestore().address!), bytes(hashOf('Chrome')), closedBy, TAPS],
    );
    read = 0;
    expect(await ask(3)).toBe(1);
    // Its tap, as a candidate, locked, closed.
    expect(read).toBeLessThan(20);
  });
});

const bytes = (hash: string): Buffer => Buffer.from(hash, 'base64url');
