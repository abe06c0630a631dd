import { describe, expect, inject, it } from 'vitest';
import { assertTestDatabase, createTestDatabase } from './database.testing.ts';
import { connect } from './database.ts';

describe('createTestDatabase', () => {
  it('makes databases of their own for many callers at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createTestDatabase(inject('databaseServerUrl'))));
    expect(new Set(made.map(({ url }) => url)).size).toBe(5);
    const databases = made.map(({ url }) => connect({ url, max: 1 }));
    await databases[0]!.prisma.usage.create({
      data: { appId: 'd9b2d63d-a233-4123-847a-7ac8f5b6c0f1', month: '2026-01', used: 1 },
    });
    expect(await Promise.all(databases.map((database) => database.prisma.usage.count()))).toEqual([1, 0, 0, 0, 0]);
    await Promise.all(databases.map((database) => database.close()));
    await Promise.all(made.map((database) => database.drop()));
  });
});

describe('assertTestDatabase', () => {
  it('asks the server, and lets only a test database pass', async () => {
    const made = await createTestDatabase(inject('databaseServerUrl'));
    const database = connect({ url: made.url, max: 1 });
    await assertTestDatabase(database);
    await database.close();
    await made.drop();

    const url = new URL(inject('databaseServerUrl'));
    url.pathname = '/postgres';
    url.searchParams.set('application_name', 'test');
    const real = connect({ url: url.href, max: 1 });
    await expect(assertTestDatabase(real)).rejects.toThrow('"postgres" is not a test database');
    await real.close();
  });
});
