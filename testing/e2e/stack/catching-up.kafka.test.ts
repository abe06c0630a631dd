// Restores behind a slow consumer: how an attribution process answers requests while clicks wait for it or for another
// process.
import { randomBytes } from 'node:crypto';
import { describeScaledOut, freshIp } from '@landfall/testkit';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Answered, type Balancer, balancer, makeShop, type Shop } from './load.ts';
import { stackOfSuite } from './stack-of-suite.ts';

const PATIENT = { timeout: 30_000, interval: 50 };

describeScaledOut('restores behind a slow consumer', (brokers, redisUrl) => {
  const suite = stackOfSuite({
    brokers,
    redisUrl,
    processes: { attribution: 2 },
    env: { RATE_LIMITS: 'manage=1000000' },
    restart: false,
  });
  let ask: Balancer;
  let shop: Shop;
  beforeAll(async () => {
    ask = balancer(suite.stack);
    shop = await makeShop(ask, 'shop');
  });
  afterAll(() => ask?.close());
  beforeEach(() => {
    suite.said.splice(0);
  });

  const bothSay = (sentence: string) =>
    vi.waitFor(() => {
      for (const name of ['attribution-1', 'attribution-2'])
        expect(suite.said.some((line) => line.startsWith(name) && line.includes(sentence))).toBe(true);
    }, PATIENT);
  const linksOf = ({ json }: Answered): string[] => json.restoredLinks.map(({ linkId }: { linkId: string }) => linkId);
  const newLink = async () => (await ask.create(shop, '/x')).json.link as { id: string; url: string };
  const newPhone = () => randomBytes(8).toString('hex');

  it('wait 2 s, are told to come again, and claim nothing while the consumer stands still; the next start finds the link', async () => {
    const [link, ip, phone] = [await newLink(), freshIp(), newPhone()];
    await suite.database.transaction(async (tx) => {
      await tx.rows('lock table attribution.pending_links in exclusive mode', []);
      expect((await ask.tap(link.url, ip)).status).toBe(302);
      await bothSay('the lag of a consumer group is too high');
      const refused = await Promise.all([phone, newPhone(), newPhone()].map((one) => ask.restore(shop, one, ip)));
      for (const { status, json, headers, ms } of refused) {
        expect({ status, code: json.code, again: headers['retry-after'] }).toEqual({
          status: 503,
          code: 'CATCHING_UP',
          again: '5',
        });
        expect(ms).toBeGreaterThan(1_990);
        expect(ms).toBeLessThan(5_000);
      }
      // A heartbeat does not wait for clicks to be consumed.
      expect((await ask.heartbeat(shop, newPhone())).status).toBe(200);
      expect(await suite.database.rows('select 1 from attribution.restores', [])).toEqual([]);
    });
    await bothSay('a consumer group has caught up');
    expect(linksOf(await ask.restore(shop, phone, ip))).toEqual([link.id]);
  });

  it('are given nothing by halves while one of two processes is frozen', { timeout: 60_000 }, async () => {
    const links = await Promise.all(Array.from({ length: 12 }, newLink));
    const taps = links.map((link) => ({ link, ip: freshIp(), phone: newPhone() }));
    const frozen = suite.stack.process('attribution-1').pid()!;
    process.kill(frozen, 'SIGSTOP');
    try {
      // The keys spread the taps over all partitions, including the partitions of the frozen process.
      for (const { link, ip } of taps) expect((await ask.tap(link.url, ip)).status).toBe(302);
      await vi.waitFor(
        () =>
          expect(suite.said.some((line) => /^attribution-2 .*the lag of a consumer group is too high/.test(line))).toBe(
            true,
          ),
        PATIENT,
      );
      // The other process takes over when the brokers notice that the frozen process is missing. A restore that
      // succeeds before that returns its link.
      await Promise.all(
        taps.map(async ({ link, ip, phone }) => {
          for (;;) {
            const answer = await ask.restore(shop, phone, ip);
            if (answer.status === 200) return expect(linksOf(answer)).toEqual([link.id]);
            expect(answer.json.code).toMatch(/^(CATCHING_UP|NO_ANSWER)$/);
          }
        }),
      );
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
  });
});
