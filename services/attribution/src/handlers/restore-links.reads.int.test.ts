// Tests that a restore reads few rows, also by plans that PostgreSQL made when the tables were empty.
import type { Database } from '@landfall/db';
import { rowsRead } from '@landfall/db/testing';
import { eachDatabase } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { restorerOf } from '../people.testing.ts';
import { hashOf, id, NOON, toRestore } from '../values.testing.ts';

const TABLE = 'attribution.pending_links';
const TAPS = 3_000;

describe('a restore', () => {
  // One connection: a plan belongs to it.
  const fixture = eachDatabase(1);
  /** The rows that the transactions have read from the table of pending links since it was last set to 0. */
  let read = 0;

  const counted = (): Database => ({
    ...fixture.database,
    transaction: (run) =>
      fixture.database.transaction(async (tx) => {
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
    const ask = restorerOf(counted());
    expect(await ask(id(2), toRestore())).toEqual([]);
    await fixture.database.rows(
      `insert into attribution.pending_links
         (id, app_id, link_id, kind, original_url, tapped_at, address, user_agent, people, closed_by, closed_at)
       select gen_random_uuid(), $1, gen_random_uuid(), 'tap', 'https://a.example/x', $2::timestamptz - interval '1 minute',
         case n when 1 then $3 else sha256(n::text::bytea) end, $4, 1,
         case when n > 1 then $5::uuid end, case when n > 1 and $5::uuid is not null then $2::timestamptz end
       from generate_series(1, $6::int) n`,
      [toRestore().appId, NOON, bytes(toRestore().address!), bytes(hashOf('Chrome')), closedBy, TAPS],
    );
    read = 0;
    expect(await ask(id(3), toRestore())).toHaveLength(1);
    // Its tap, as a candidate, locked, closed.
    expect(read).toBeLessThan(20);
  });
});

const bytes = (hash: string): Buffer => Buffer.from(hash, 'base64url');
