import { sha256 } from '@landfall/http';
import { createLogger } from '@landfall/runtime';
import { afterEach, expect, it } from 'vitest';
import { keepOfferingSetUp } from './offer-set-up.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/**
 * Returns a database without an owner, or with one.
 * @param faults the number of look-ups that fail first
 */
function databaseThat(needed: boolean, faults = 0) {
  const offered: string[] = [];
  let looks = 0;
  const prisma = {
    user: {
      async findFirst() {
        looks++;
        if (looks <= faults) throw new Error('the database is away');
        return needed ? null : { id: 'somebody' };
      },
    },
    setUpCode: {
      findFirst: async () => null,
      async deleteMany() {},
      async createMany({ data: { hash } }: { data: { hash: Buffer } }) {
        offered.push(Buffer.from(hash).toString('base64url'));
      },
    },
    async $executeRaw() {},
    $transaction: (run: (tx: unknown) => unknown) => run(prisma),
  };
  return { database: { prisma } as unknown as Parameters<typeof keepOfferingSetUp>[0], offered, looks: () => looks };
}

const withPages = { publicUrl: 'https://api.example', hasPages: true };
const withoutPages = { ...withPages, hasPages: false };

it.each([
  [
    'the address of its page, with the code in the fragment',
    withPages,
    /^ {2}https:\/\/api\.example\/setup#([\w-]{43})$/m,
  ],
  ['a call, where no page is served', withoutPages, /"code":"([\w-]{43})"/],
])('prints %s', async (_, place, shape) => {
  const { database, offered } = databaseThat(true);
  const said = await new Promise<string>((resolve) => {
    const { stop } = keepOfferingSetUp(database, place, log, resolve);
    stops.push(stop);
  });
  const [, code = ''] = shape.exec(said) ?? [];
  // The code whose hash was offered, and no other.
  expect(offered).toEqual([sha256(code)]);
  expect(said.split(code)).toHaveLength(2);
  expect(said.includes('/setup')).toBe(place.hasPages);
  expect(said.includes("curl -X POST https://api.example/api/manage/set-up -H 'x-landfall: 1'")).toBe(!place.hasPages);
});

it('prints nothing when there is an owner', async () => {
  const { database, offered, looks } = databaseThat(false);
  const said: string[] = [];
  const { stop } = keepOfferingSetUp(database, withPages, log, (line) => said.push(line));
  await expect.poll(looks).toBe(1);
  await stop();
  expect([said, offered]).toEqual([[], []]);
});

it('retries while the database is away, and ends when it is stopped', async () => {
  const later = databaseThat(true, 1);
  await new Promise<string>((resolve) => stops.push(keepOfferingSetUp(later.database, withPages, log, resolve).stop));
  expect(later.looks()).toBe(2);
  const never = databaseThat(true, Number.POSITIVE_INFINITY);
  const { stop } = keepOfferingSetUp(never.database, withPages, log, () => {});
  await stop();
  expect(never.looks()).toBe(1);
});
