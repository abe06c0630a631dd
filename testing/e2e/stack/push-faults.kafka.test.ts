// Push workers that end in the middle of a push to many devices: the other workers send the rest. A device gets the
// push twice only if its delivery was in flight.
import { randomBytes } from 'node:crypto';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { type Stack, startStack } from '@landfall/stack';
import { describeScaledOut, openTopics, type Topics } from '@landfall/testkit';
import { type FakesApart, type Seen, startFakesApart, wasTaken } from '@landfall/testkit/push';
import { afterAll, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { type Balancer, balancer } from './load.ts';

const DEVICES = 6_000;
/** The number of sent pushes after which the test ends a worker. */
const BEFORE = 1_000;
/**
 * The maximum number of pushes that a worker has in flight over both providers. A push in flight has begun, and its
 * outcome is not stored yet.
 */
const IN_FLIGHT = 700;
/** Milliseconds within which all pushes must be sent. Deliveries of a killed worker become due again after a minute. */
const SENT_WITHIN_MS = 100_000;

describeScaledOut('a push worker that ends', (brokers, redisUrl) => {
  const prefix = `push-${randomBytes(4).toString('hex')}.`;
  let own: TestDatabase;
  let database: Database;
  let fakes: FakesApart;
  let stack: Stack;
  let topics: Topics;
  let ask: Balancer;
  let appId: string;
  beforeAll(async () => {
    own = await createTestDatabase(inject('databaseServerUrl'));
    database = connect({ url: own.url, max: 1 });
    fakes = await startFakesApart({ fcm: { latencyMs: 40 }, apns: { latencyMs: 40 } });
    stack = await startStack({
      databaseUrl: own.url,
      brokers,
      redisUrl,
      prefix,
      processes: { push: 2 },
      env: { FCM_URL: fakes.fcmUrl, APNS_URL: fakes.apnsUrl, PUSH_CA: fakes.ca },
      restart: false,
    });
    topics = openTopics(brokers, prefix);
    ask = balancer(stack);
    ({ appId } = await makeSender());
  });
  afterAll(async () => {
    ask?.close();
    await stack?.stop();
    await Promise.all([topics?.close(), fakes?.close(), database?.close()]);
    await own?.drop();
  });
  beforeEach(() => fakes.clear());

  async function makeSender() {
    const { app } = (await ask.manage('/apps', { name: 'Push', subdomain: 'push' })).json;
    for (const [kind, credentials] of Object.entries({ fcm: fakes.serviceAccount, apns: fakes.appleKey })) {
      const set = await ask.manage(`/apps/${app.id}/push-providers/${kind}`, credentials, 'PUT');
      expect(set.json).toMatchObject({ checked: true });
    }
    await database.rows(
      `insert into push.devices (id, app_id, token_hash, token, kind, platform, first_seen, last_seen, registered_by)
       select gen_random_uuid(), $1, sha256(convert_to(token, 'UTF8')), token, kind, 'ios', now(), now(), gen_random_uuid()
       from (
         select case when n % 2 = 0 then 'device' || n || ':' || repeat('APA91b', 22) else 'a1' || md5(n::text) || md5('x' || n) end
           as token, case when n % 2 = 0 then 'fcm' else 'apns' end as kind
         from generate_series(1, $2::int) n
       ) t`,
      [app.id, DEVICES],
    );
    return { appId: app.id as string };
  }

  async function sendToAll(): Promise<string> {
    const body = { appId, title: 'Hello', body: 'World', destinationPath: '/a', target: { all: true } };
    const sent = await ask.push(body);
    expect(sent.json).toMatchObject({ success: true, targeted: DEVICES });
    return sent.json.notificationId;
  }

  const see = async (id: string) => (await ask.manage(`/notifications/${id}`)).json.notification;
  const begun = (id: string) =>
    vi.waitFor(async () => expect((await see(id)).counts.sent).toBeGreaterThan(BEFORE), {
      timeout: 30_000,
      interval: 20,
    });
  const allSent = (id: string) =>
    vi.waitFor(async () => expect((await see(id)).status).toBe('sent'), { timeout: SENT_WITHIN_MS, interval: 200 });

  /** Returns the pushes that each device got. */
  async function got(): Promise<Map<string, Seen[]>> {
    const seen = [...(await fakes.received('fcm')), ...(await fakes.received('apns'))].filter(wasTaken);
    return Map.groupBy(seen, ({ token }) => token);
  }

  it.each(['term', 'kill'] as const)('by %s: the rest is sent, each device once', { timeout: 150_000 }, async (how) => {
    const sentBefore = await topics.count('push.sent');
    const id = await sendToAll();
    await begun(id);
    await stack.process('push-1')[how]();
    await allSent(id);
    const devices = await got();
    expect(devices.size).toBe(DEVICES);
    const twice = [...devices.values()].filter((seen) => seen.length > 1);
    console.info(`${twice.length} devices got it again after ${how}`);
    expect(twice.length).toBeLessThanOrEqual(how === 'term' ? 0 : IN_FLIGHT);
    for (const seen of twice) expect(new Set(seen.map((one) => `${one.id} ${one.collapse}`)).size).toBe(1);
    expect((await see(id)).counts).toMatchObject({ queued: 0, sent: DEVICES, failed: 0, unknown: 0, opened: 0 });
    // Every sent push has its event, including the events that the worker had not published before it ended.
    await vi.waitFor(
      async () => expect(await topics.count('push.sent')).toBeGreaterThanOrEqual(sentBefore + DEVICES),
      30_000,
    );
    await stack.process('push-1').start();
  });
});
