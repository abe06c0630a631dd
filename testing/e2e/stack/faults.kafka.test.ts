// Processes that end under load, with two of each: answered requests are kept, each request takes effect once, and
// another process takes over.
import { randomBytes, randomUUID } from 'node:crypto';
import { describeScaledOut, freshIp } from '@landfall/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertKept, type Balancer, balancer, makeShop, type Shop, startLoad } from './load.ts';
import { stackOfSuite } from './stack-of-suite.ts';

const MANY = 1_000_000;
const TAKEN_OVER_MS = 10_000;

describeScaledOut('a process that ends', (brokers, redisUrl) => {
  const suite = stackOfSuite({
    brokers,
    redisUrl,
    processes: { gateway: 2, link: 2, attribution: 2, console: 2 },
    env: { RATE_LIMITS: `manage=${MANY}` },
    restart: false,
  });
  let ask: Balancer;
  let shop: Shop;
  beforeEach(async () => {
    ask = balancer(suite.stack);
    // Each test counts its own quota and links.
    shop = await makeShop(ask, `shop-${randomBytes(4).toString('hex')}`);
    suite.said.splice(0);
  });
  afterEach(async () => {
    ask.close();
    await Promise.all(suite.stack.processes.map((process) => process.start()));
  });

  /** Returns the errors in the log. An error means that an operator must act, and here no operator must act. */
  const errors = () => suite.said.filter((line) => /"level":"(error|fatal)"/.test(line));

  describe.each(['gateway', 'link', 'attribution', 'console'])('%s, by SIGTERM under load', (service) => {
    it('fails no request, loses nothing, and comes back', async () => {
      const load = startLoad(ask, shop);
      await load.rounds(12);
      expect(await suite.stack.process(`${service}-1`).term()).toBe(0);
      await load.rounds(12);
      await suite.stack.process(`${service}-1`).start();
      await load.rounds(12);
      const done = await load.stop();
      expect(load.failures).toEqual([]);
      await assertKept(suite.database, shop, done);
      expect(errors()).toEqual([]);
    });
  });

  describe.each(['link', 'attribution'])('%s, by SIGKILL under load', (service) => {
    it('is taken over within 10 s, and nothing is lost or done twice', async () => {
      const load = startLoad(ask, shop, true);
      await load.rounds(12);
      await suite.stack.process(`${service}-1`).kill();
      const killed = Date.now();
      await Promise.all(Array.from({ length: 12 }, () => insist(service)));
      expect(Date.now() - killed).toBeLessThan(TAKEN_OVER_MS);
      await load.rounds(12);
      const done = await load.stop();
      expect(new Set(load.failures.map((failure) => failure.split(' ')[1]))).toEqual(
        new Set(load.failures.length > 0 ? ['503'] : []),
      );
      await assertKept(suite.database, shop, done);
      // The database has as many links as were requested: the links of the load, and for the link service also the
      // twelve above.
      const links = await suite.database.rows('select from link.links where app_id = $1', [shop.appId]);
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
      await Promise.all([1, 2].map((i) => suite.stack.process(`link-${i}`).term()));

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

      await suite.stack.process('link-1').start();
      expect((await ask.create(shop, '/late', freshIp(), id)).status).toBe(200);
      const late = await suite.database.rows(`select from link.links where app_id = $1 and destination = '/late'`, [
        shop.appId,
      ]);
      expect(late).toHaveLength(1);
    });
  });
});
