import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { connect, type SqlTransaction } from './database.ts';
import { suiteDatabase } from './fixture.testing.ts';

const made = suiteDatabase(3);

const add = 'insert into link.usage values ($1, $2, 1)';
const app = 'd9b2d63d-a233-4123-847a-7ac8f5b6c0f1';
const months = async () =>
  (await made.database.prisma.usage.findMany({ orderBy: { month: 'asc' } })).map(({ month }) => month);

describe('transaction', () => {
  it('keeps what it did when it returns', async () => {
    const result = await made.database.transaction(async (tx) => {
      await tx.rows(add, [app, '2026-01']);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await months()).toEqual(['2026-01']);
  });

  it('keeps nothing when it throws, and throws the same', async () => {
    const error = new Error('no');
    const run = made.database.transaction(async (tx) => {
      await tx.rows(add, [app, '2026-02']);
      throw error;
    });
    await expect(run).rejects.toBe(error);
    expect(await months()).toEqual(['2026-01']);
  });

  it('keeps what it sent without waiting', async () => {
    await made.database.transaction(async (tx) => tx.send(add, [app, '2026-04']));
    expect(await months()).toEqual(['2026-01', '2026-04']);
  });

  const unwritable = {
    toPostgres() {
      throw new Error('no such value');
    },
  };

  it.each<[when: string, run: (tx: SqlTransaction) => Promise<unknown>, why: object]>([
    [
      'a statement fails',
      async (tx) => {
        await tx.rows(add, [app, '2026-05']);
        await tx.rows(add, [app, '2026-01']);
      },
      { code: '23505' },
    ],
    [
      'a statement fails that nobody waited for',
      async (tx) => {
        for (const month of ['2026-05', '2026-01', '2026-06']) tx.send(add, [app, month]);
        await tx.rows('select 1');
      },
      { code: '23505' },
    ],
    [
      'the last statement fails, behind which the commit was sent already',
      async (tx) => tx.send(add, [app, '2026-01']),
      { code: '23505' },
    ],
    [
      'a statement fails before others, of which the server says less',
      async (tx) => {
        const first = tx.rows('select 1 / 0');
        tx.send(add, [app, '2026-05']);
        await first;
      },
      { code: '22012' },
    ],
    [
      'a value cannot even be written',
      async (tx) => {
        tx.send(add, [app, '2026-05']);
        tx.send(add, [app, unwritable]);
      },
      { message: 'no such value' },
    ],
    [
      'its caller swallowed a failure',
      async (tx) => {
        tx.send(add, [app, '2026-05']);
        await tx.rows('select 1 / 0').catch(() => {});
      },
      { code: '22012' },
    ],
  ])('keeps nothing, and rejects with why, when %s', async (_, run, why) => {
    await expect(made.database.transaction(run)).rejects.toMatchObject(why);
    expect(await months()).toEqual(['2026-01', '2026-04']);
  });

  it('sends together what it asks together: begin with the first, commit with the last', async () => {
    await made.database.rows('select 1');
    const packets = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as '_write')];
    await made.database.transaction(async (tx) => {
      await Promise.all([tx.rows('select $1::int', [1]), tx.rows('select $1::text', ['2'])]);
      tx.send(add, [app, '2026-07']);
    });
    const sent = packets.map((spy) => spy.mock.calls.length);
    for (const spy of packets) spy.mockRestore();
    expect(sent).toEqual([0, 2]);
    expect(await months()).toContain('2026-07');
  });

  it('gives its connection back, however it ends', async () => {
    for (let i = 0; i < 10; i++) {
      await made.database.transaction(async (tx) => tx.rows('select 1'));
      await made.database.transaction(() => Promise.reject(new Error('no'))).catch(() => {});
    }
    expect(await Promise.all([1, 2, 3].map(() => made.database.rows('select 1 as one')))).toHaveLength(3);
  });
});

describe('rows', () => {
  it('takes arrays, bytes and times, and gives them back', async () => {
    const at = new Date('2026-11-21T10:00:00.123Z');
    const rows = await made.database.rows(
      'select * from unnest($1::uuid[], $2::bytea[], $3::timestamptz[]) as t (id, hash, at)',
      [[app], [Buffer.from([0, 255])], [at]],
    );
    expect(rows).toEqual([{ id: app, hash: Buffer.from([0, 255]), at }]);
  });

  it('plans a statement once, or each time', async () => {
    await made.database.transaction(async (tx) => {
      const text = 'select $1::int as "once or each time"';
      const inTransaction = () => tx.rows(`select 1 from pg_prepared_statements where statement like '%once or each%'`);
      await tx.rows(text, [1], 'anew');
      expect(await inTransaction()).toHaveLength(0);
      await tx.rows(text, [1]);
      expect(await inTransaction()).toHaveLength(1);
    });
  });

  it('works on after all connections were ended, and tells of those that were idle', async () => {
    const told: Error[] = [];
    const watched = connect({ url: made.url, max: 2, onIdleError: (error) => told.push(error) });
    await watched.rows('select 1');
    await made.database.rows(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await expect.poll(() => told.length).toBe(1);
    expect(await watched.rows('select 1 as one')).toEqual([{ one: 1 }]);
    await watched.close();
  });
});

describe('close', () => {
  it('resolves when the connections have ended, and tells of none that broke', async () => {
    const connecting = vi.spyOn(Socket.prototype, 'connect');
    const broken: Error[] = [];
    const own = connect({ url: made.url, max: 8, onIdleError: (error) => broken.push(error) });
    await Promise.all(Array.from({ length: 8 }, () => own.rows('select pg_sleep(0.05)')));
    const sockets = connecting.mock.contexts as Socket[];
    connecting.mockRestore();
    await own.close();
    expect([sockets.map(({ readyState }) => readyState), broken]).toEqual([Array(8).fill('closed'), []]);
  });
});
