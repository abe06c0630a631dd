import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { connect } from './database.ts';
import { isTransient } from './transient.ts';

const sqlError = (code: string) => Object.assign(new Error('from PostgreSQL'), { code, severity: 'ERROR' });

describe('isTransient', () => {
  it.each(['08006', '28P01', '53100', '53300', '57P01', '57P03', '58030', '25006', '3D000', '40001', '40P01', '55P03'])(
    'is true for SQLSTATE %s',
    (code) => {
      expect(isTransient(sqlError(code))).toBe(true);
    },
  );

  it.each(['57014', '23505', '22P02', '42P01', '22021', 'P0001', '25P02', '54000', 'XX000'])(
    'is false for SQLSTATE %s',
    (code) => {
      expect(isTransient(sqlError(code))).toBe(false);
    },
  );

  it('is false for what is no error of the infrastructure', () => {
    const values = [
      undefined,
      null,
      'ECONNREFUSED',
      57,
      new Error('connection'),
      new TypeError('x is not a function'),
      { code: 8 },
    ];
    for (const value of values) expect(isTransient(value)).toBe(false);
  });

  it('knows a transaction that got no connection in time from one that took too long', () => {
    const p2028 = (words: string) => Object.assign(new Error(`Transaction API error: ${words}`), { code: 'P2028' });
    expect(isTransient(p2028('Unable to start a transaction in the given time.'))).toBe(true);
    expect(isTransient(p2028('A commit cannot be executed on an expired transaction.'))).toBe(false);
  });

  it('looks into causes and into errors of several addresses', () => {
    expect(isTransient(new Error('outer', { cause: new Error('inner', { cause: sqlError('57P01') }) }))).toBe(true);
    expect(isTransient(new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]))).toBe(true);
  });

  it('ends on an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isTransient(error)).toBe(false);
  });

  it('is true when nobody listens, in plain SQL and in Prisma', async () => {
    const database = connect({ url: `postgresql://x:x@127.0.0.1:${await closedPort()}/x`, max: 1 });
    for (const ask of [
      () => database.rows('select 1'),
      () => database.prisma.link.findFirst(),
      () => database.prisma.$queryRaw`select 1`,
    ]) {
      const error = await ask().then(
        () => undefined,
        (e: unknown) => e,
      );
      expect(error).toBeDefined();
      expect(isTransient(error)).toBe(true);
    }
    await database.close();
  });

  it('is true when the server accepts and says nothing', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const database = connect({ url: `postgresql://x:x@127.0.0.1:${port}/x`, max: 1, limits: { connect: 100 } });
    const error = await database.rows('select 1').catch((e: unknown) => e);
    expect(isTransient(error)).toBe(true);
    server.close();
    await database.close();
  });
});

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
