import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from './database.ts';
import { suiteDatabase } from './fixture.testing.ts';
import { isTransient } from './transient.ts';

const made = suiteDatabase(2, { statement: 1_000, lock: 100 });
let other: Database;
beforeAll(() => {
  other = connect({ url: made.url, max: 4 });
});
afterAll(() => other.close());

const failure = (ask: Promise<unknown>) =>
  ask.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  );

/** Ends every other connection to this database that runs the statement. Waits until there is one. */
async function terminate(statement: string): Promise<void> {
  const find = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like $1`;
  // This is as long as the test may take: on a busy machine the statement can start late.
  await expect
    .poll(async () => (await other.rows(find, [`${statement}%`])).length, { timeout: 20_000 })
    .toBeGreaterThan(0);
}

describe('isTransient', () => {
  it('is true for a statement whose connection is ended', async () => {
    const error = failure(made.database.rows('select pg_sleep(0.9), 1'));
    await terminate('select pg_sleep(0.9), 1');
    expect(isTransient(await error)).toBe(true);
  });

  it('is true for a statement of Prisma whose connection is ended', async () => {
    const error = failure(made.database.prisma.$queryRaw`select pg_sleep(0.9)::text, 2`);
    await terminate('select pg_sleep(0.9)::text, 2');
    expect(isTransient(await error)).toBe(true);
  });

  it('is true for a transaction whose connection is ended between two statements', async () => {
    const error = failure(
      made.database.transaction(async (tx) => {
        await tx.rows('select 3');
        await terminate('select 3');
        await tx.rows('select 4');
      }),
    );
    expect(isTransient(await error)).toBe(true);
    expect(await made.database.rows('select 5 as five')).toEqual([{ five: 5 }]);
  });

  it('is true for a lock that is not given, and false for a statement over its limit', async () => {
    await other.transaction(async (tx) => {
      await tx.rows('lock table link.usage');
      expect(isTransient(await failure(made.database.rows('select * from link.usage')))).toBe(true);
      expect(isTransient(await failure(made.database.prisma.usage.findFirst()))).toBe(true);
    });
    expect(isTransient(await failure(made.database.rows('select pg_sleep(2)')))).toBe(false);
  });

  it('is true for a deadlock', async () => {
    await made.database.rows(`insert into link.usage values (gen_random_uuid(), 'a', 0), (gen_random_uuid(), 'b', 0)`);
    const lock = 'select from link.usage where month = $1 for update';
    const both = await Promise.allSettled(
      [
        ['a', 'b'],
        ['b', 'a'],
      ].map(([first, second]) =>
        other.transaction(async (tx) => {
          await tx.rows(lock, [first]);
          await expect.poll(() => lockedRows()).toBe(2);
          await tx.rows(lock, [second]);
        }),
      ),
    );
    const failed = both.filter((one) => one.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.reason).toMatchObject({ code: '40P01' });
    expect(isTransient(failed[0]?.reason)).toBe(true);
  });

  it('is true for a plan from before a column was added, and the connection that has it is not used again', async () => {
    const one = connect({ url: made.url, max: 1 });
    const all = () => one.transaction((tx) => tx.rows('select * from link.usage where month = $1', ['none']));
    const alone = () => one.rows('select u.* from link.usage u where month = $1', ['none']);
    for (const [ask, column] of [
      [all, 'a'],
      [alone, 'b'],
    ] as const) {
      await ask();
      await other.rows(`alter table link.usage add column ${column} int`);
      expect(isTransient(await failure(ask()))).toBe(true);
      expect(await ask()).toEqual([]);
    }
    await one.close();
    await other.rows('alter table link.usage drop column a, drop column b');
  });

  it('is true when the pool has no connection to give', async () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    // Nobody waits longer for a connection than for a new one, which takes its time on a busy machine.
    const small = connect({ url: made.url, max: 1, limits: { connect: 1_000 } });
    await small.rows('select 1');
    const held = small.transaction(() => freed);
    const errors = await Promise.all([small.rows('select 1'), small.prisma.link.findFirst()].map(failure));
    free();
    await held;
    await small.close();
    expect(errors.map(isTransient)).toEqual([true, true]);
  });

  it('is true when the pool is closed', async () => {
    const closed = connect({ url: made.url, max: 1 });
    await closed.close();
    expect(isTransient(await failure(closed.rows('select 1')))).toBe(true);
  });

  it('is true when the server has no connection to give', async () => {
    await other.rows('select 1');
    await made.database.rows(
      `do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$`,
    );
    const [user] = await other.rows<{ name: string }>(`select 'plain_' || substr(md5(random()::text), 1, 8) as name`);
    await other.rows(`do $$ begin execute 'create role ${user!.name} login password ''x'''; end $$`);
    const url = new URL(made.url);
    url.username = user!.name;
    url.password = 'x';
    const limited = connect({ url: url.href, max: 1 });
    const errors = [await failure(limited.rows('select 1')), await failure(limited.prisma.link.findFirst())];
    await limited.close();
    await other.rows(`do $$ begin execute 'drop role ${user!.name}'; end $$`);
    expect(errors[0]).toMatchObject({ code: '53300' });
    expect(errors.map(isTransient)).toEqual([true, true]);
  });

  it('is false for what a message may do wrong, also through Prisma', async () => {
    const app = { id: 'd9b2d63d-a233-4123-847a-7ac8f5b6c0f1', month: 'x' };
    const wrong = [
      made.database.rows('select 1 / 0'),
      made.database.rows('select $1::uuid', ['no uuid']),
      made.database.prisma.usage.create({ data: { appId: app.id, month: 'nul \0', used: 1 } }),
      made.database.prisma.host.create({ data: { host: 'h', appId: app.id } }),
      made.database.prisma.$queryRaw`select 1 / 0`,
    ];
    for (const error of await Promise.all(wrong.map(failure))) expect(isTransient(error)).toBe(false);
  });
});

async function lockedRows(): Promise<number> {
  const [row] = await made.database.rows<{ count: number }>(
    `select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
     where datname = current_database() and locktype = 'transactionid' and mode = 'ExclusiveLock' and granted`,
  );
  return row!.count;
}
