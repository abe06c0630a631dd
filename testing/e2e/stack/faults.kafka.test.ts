// Processes that end under load, with two of each: answered requests are kept, each request takes effect once, and
// another process takes over.
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { type Stack, startStack } from '@landfall/stack';
import { describeScaledOut, freshIp } from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { assertKept, type Balancer, balancer, makeShop, type Shop, startLoad } from './load.ts';

const MANY = 1_000_000;
const TAKEN_OVER_MS = 10_000;

describeScaledOut('a process that ends', (brokers, redisUrl) => {
  let own: TestDatabase;
  let database: Database;
  let stack: Stack;
  let ask: Balancer;
  let shop: Shop;
  const said: string[] = [];
  beforeAll(async () => {
    own = await createTestDatabase(inject('databaseServerUrl'));
    database = connect({ url: own.url, max: 1 });
    stack = await startStack({
      databaseUrl: own.url,
      brokers,
      redisUrl,
      prefix: `faults-${randomBytes(4).toString('hex')}.`,
      processes: { gateway: 2, link: 2, attribution: 2, console: 2 },
      env: { RATE_LIMITS: `manage=${MANY}` },
      restart: false,
      onLine: (name, line) => said.push(`${name} ${line}`),
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await database?.close();
    await own?.drop();
  });
  beforeEach(async () => {
    ask = balancer(stack);
    // Each test counts its own quota and links.
    shop = await makeShop(ask, `shop-${randomBytes(4).toString('hex')}`);
    said.splice(0);
  });
  afterEach(async () => {
    ask.close();
    await Promise.all(stack.processes.map((process) => process.start()));
  });

  /** Returns the errors in the log. An error means that an operator must act, and here no operator must act. */
  const errors = () => said.filter((line) => /"level":"(error|fatal)"/.test(line));

  describe.each(['gateway', 'link', 'attribution', 'console'])('%s, by SIGTERM under load', (service) => {
    it('fails no request, loses nothing, and comes back', async () => {
      const load = startLoad(ask, shop);
      await load.rounds(12);
      expect(await stack.process(`${service}-1`).term()).toBe(0);
      await load.rounds(12);
      await stack.process(`${service}-1`).start();
      await load.rounds(12);
      const done = await load.stop();
      expect(load.failures).toEqual([]);
      await assertKept(database, shop, done);
      expect(errors()).toEqual([]);
    });
  });

  describe.each(['link', 'attribution'])('%s, by SIGKILL under load', (service) => {
    it('is taken over within 10 s, and nothing is lost or done twice', async () => {
      const load = startLoad(ask, shop, true);
      await load.rounds(12);
      await stack.process(`${service}-1`).kill();
      const killed = Date.now();
      await Promise.all(Array.from({ length: 12 }, () => insist(service)));
      expect(Date.now() - killed).toBeLessThan(TAKEN_OVER_MS);
      await load.rounds(12);
      const done = await load.stop();
      expect(new Set(load.failures.map((failure) => failure.split(' ')[1]))).toEqual(
        new Set(load.failures.length > 0 ? ['503'] : []),
      );
      await assertKept(database, shop, done);
      // The database has as many links as were requested: the links of the load, and for the link service also the
      // twelve above.
      const links = await database.rows('select from link.links where app_id = $1', [shop.appId]);
      expect(links).toHaveLength(done.links.length + (service === 'link' ? 12 : 0));
    });

    /** Sends the same request again until it gets an answer other than 503. The request may go to any partition. */
    async function insist(of: string): Promise<void> {
      const id = randomUUID();
      for (;;) {
        const { status } = await (of === 'link' ? ask.create(shop, '/x', freshIp(), id) : ask.heartbeat(shop, id));
        if (status === 200) return;
        expect(status).toBe(503);
      }
    }
  });

  describe('every link worker', () => {
    it('refuses links within their time and says when to come again; what is known is served on', async () => {
      const { link } = (await ask.create(shop, '/known')).json;
      // Each gateway needs its own copy.
      for (let i = 0; i < 2; i++) {
        expect((await ask.resolve(shop, link.slug)).status).toBe(200);
        expect((await ask.tap(link.url)).status).toBe(302);
      }
      await Promise.all([1, 2].map((i) => stack.process(`link-${i}`).term()));

      const id = randomUUID();
      const refused = ask.create(shop, '/late', freshIp(), id);
      for (let i = 0; i < 4; i++) {
        expect(await ask.resolve(shop, link.slug)).toMatchObject({ status: 200, json: { link: { slug: link.slug } } });
        expect(await ask.tap(link.url)).toMatchObject({ status: 302 });
      }
      const { status, headers, json, ms } = await refused;
      expect({ status, code: json.code, again: headers['retry-after'] }).toEqual({
        status: 503,
        code: 'NO_ANSWER',
        again: '1',
      });
      expect(ms).toBeLessThan(5_500);
      const unknown = await ask.resolve(shop, 'never-seen');
      expect(unknown).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(unknown.ms).toBeLessThan(2_500);

      await stack.process('link-1').start();
      expect((await ask.create(shop, '/late', freshIp(), id)).status).toBe(200);
      const late = await database.rows(`select from link.links where app_id = $1 and destination = '/late'`, [
        shop.appId,
      ]);
      expect(late).toHaveLength(1);
    });
  });
});
