// `npm start` under load, killed fifty times: the process, PostgreSQL, and one connection of PostgreSQL, in turns. Everything
// answered is there afterwards, and the figures count it once. Everything else is there and counted once or not at all.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from '@landfall/db';
import { hashes } from '@landfall/http';
import type { Received } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fcmToken, linksOf, newDevice, post } from '../calls.ts';
import { installation, postgresOf, processesBelow, sendTo } from '../http/process.ts';

const KILLS = 50;
/** Rounds of people that are answered between two kills. */
const ROUNDS = 25;
const PEOPLE = 8;
/** After half a second a person is sent on, even if the tap is not stored yet. */
const SURELY_STORED_MS = 450;
/** The beginning of the tokens of phones that registered before the first kill. */
const SENT_BEFORE = 'before';

const metrics = ['linksCreated', 'clicks', 'installs', 'restores', 'registrations', 'pushesOpened'] as const;
type Metric = (typeof metrics)[number];

/** The query of the stored rows of each metric. */
const STORED: Record<Metric, string> = {
  linksCreated: `select id from link.links where app_id = $1 and destination = '/killed'`,
  clicks: 'select link_id as id from attribution.pending_links where app_id = $1',
  installs: `select encode(device, 'base64') as id from attribution.devices where app_id = $1 and first_heartbeat_id is not null`,
  restores: 'select unnest(link_ids) as id from attribution.restores where app_id = $1 and match_type is not null',
  registrations: `select token as id from push.devices where app_id = $1 and not token like '${SENT_BEFORE}%'`,
  pushesOpened: `select d.token as id from push.opens o join push.devices d on d.id = o.device_id where o.app_id = $1`,
};

/** A tap was answered, and may be stored later. Its person does not go on. */
class Late extends Error {}

/** The requests of one kind: their number, and the ids of those that were answered. */
class Tally {
  asked = 0;
  readonly answered: string[] = [];
}

describe('killed fifty times under load', async () => {
  const one = await installation();
  const { folder, welcome, start, last, api, tap, create } = one;
  beforeAll(() => start());
  afterAll(one.cleanUp);

  const did = Object.fromEntries(metrics.map((metric) => [metric, new Tally()])) as Record<Metric, Tally>;
  const wrong: string[] = [];
  const told: { notificationId: string; tokens: string[] } = { notificationId: '', tokens: [] };
  let rounds = 0;
  /** The hash under which a device is stored. */
  const hashOf = (fingerprint: string): string => {
    const secret = readFileSync(path.join(folder, 'hash-secret'), 'utf8').trim();
    return Buffer.from(hashes(secret).fingerprint(fingerprint), 'base64url').toString('base64');
  };

  async function manage(where: string, body?: object): Promise<Received['json']> {
    const token = readFileSync(path.join(folder, 'owner-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const asked = `/api/${where}`;
    const { status, json } = await api({ ...(body ? post(asked, body) : { path: asked }), headers });
    expect(status, `${where}: ${JSON.stringify(json)}`).toBe(200);
    return json;
  }

  /** Counts a request, and its answer when one came. Rejects when the process ended, or was busy. */
  async function ask(metric: Metric, send: () => Promise<Received>, idOf: (answer: Received) => string) {
    did[metric].asked++;
    const answer = await send();
    if (answer.status >= 400) throw new Error(`${metric}: ${answer.status} ${answer.text}`);
    did[metric].answered.push(idOf(answer));
    return answer;
  }

  /** Makes a link, taps it, installs the app, restores the link, registers for push, and opens one that was sent before. */
  async function round(): Promise<void> {
    const { link } = (
      await ask(
        'linksCreated',
        () => create('/killed'),
        ({ json }) => json.link.id,
      )
    ).json;
    const { ip, body } = newDevice();
    const called = (name: string, sent: object) => api(post(`/api/${name}`, sent), ip);
    const tapped = async () => {
      const sentAt = performance.now();
      const answer = await tap(link.url, ip);
      if (performance.now() - sentAt >= SURELY_STORED_MS) throw new Late();
      return answer;
    };
    await ask('clicks', tapped, () => link.id);
    await ask(
      'installs',
      () => called('deferred-deep-linking/install-heartbeat', body),
      () => hashOf(body.deviceFingerprint),
    );
    const answer = await ask(
      'restores',
      () => called('deferred-deep-linking/restore', body),
      () => link.id,
    );
    if (linksOf(answer).join() !== link.id) wrong.push(`${linksOf(answer)} instead of ${link.id}`);
    const device = { deviceToken: fcmToken(), platform: 'android' };
    await ask(
      'registrations',
      () => called('push/register', device),
      () => device.deviceToken,
    );
    const [deviceToken = ''] = told.tokens.splice(0, 1);
    const opened = { notificationId: told.notificationId, deviceToken };
    await ask(
      'pushesOpened',
      () => called('push/opened', opened),
      () => deviceToken,
    );
    rounds++;
  }

  /** Lets people go round, and kills in the middle. Resolves when none of their requests is under way. */
  async function killUnderLoad(kill: () => void, isOver: () => boolean): Promise<void> {
    const enough = rounds + ROUNDS;
    let isKilled = false;
    const person = async () => {
      while (!(isKilled && isOver())) {
        await round().catch((error: Error) => {
          if (!isKilled && !(error instanceof Late)) throw error;
        });
        if (rounds < enough || isKilled) continue;
        isKilled = true;
        kill();
      }
    };
    await Promise.all(Array.from({ length: PEOPLE }, person));
  }

  async function killOnce(n: number): Promise<void> {
    const { child, ended } = last();
    const postgres = postgresOf(folder)!;
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    if (n % 3 === 2) {
      // PostgreSQL ends all connections, recovers and goes on, and so does the process.
      const until = rounds + 2 * ROUNDS;
      await killUnderLoad(
        () => sendTo(processesBelow(postgres).at(-1)!, 'SIGKILL'),
        () => isOver || rounds >= until,
      );
      expect(isOver, last().stderr()).toBe(false);
      return;
    }
    await killUnderLoad(
      () => sendTo(n % 3 === 0 ? child.pid! : postgres, 'SIGKILL'),
      () => isOver,
    );
    await start();
  }

  it('has what it answered, and counts it once', { timeout: 900_000 }, async () => {
    const { appId } = welcome();
    const figure = async (metric: Metric) => (await manage(`manage/apps/${appId}/analytics?metric=${metric}`)).total;
    for (let n = 0; n < KILLS * ROUNDS * 3; n++) told.tokens.push(SENT_BEFORE + fcmToken());
    const registering = told.tokens.values();
    const register = async () => {
      for (const deviceToken of registering)
        await api(post('/api/push/register', { deviceToken, platform: 'android' }));
    };
    await Promise.all(Array.from({ length: PEOPLE }, register));
    const push = { appId, title: 'Hello', body: 'You', target: { all: true } };
    const { notificationId } = await manage('push/send', push);
    told.notificationId = notificationId;
    const state = async () => (await manage(`manage/notifications/${notificationId}`)).notification.status;
    await expect.poll(state, { timeout: 60_000 }).toBe('sent');
    // Otherwise their counts would come later, as if they were of the load.
    await expect.poll(() => figure('registrations'), { timeout: 60_000 }).toBeGreaterThanOrEqual(told.tokens.length);
    const before = new Map<Metric, number>();
    for (const metric of metrics) before.set(metric, await figure(metric));

    for (let n = 0; n < KILLS; n++) await killOnce(n);

    expect(wrong).toEqual([]);
    const database = connect({ url: readFileSync(path.join(folder, 'database-url'), 'utf8').trim(), max: 1 });
    onTestFinished(() => database.close());
    for (const metric of metrics) {
      const { answered, asked } = did[metric];
      const rows = (await database.rows<{ id: string }>(STORED[metric], [appId])).map(({ id }) => id);
      const said = `${metric}: ${answered.length} answered, ${asked} asked, ${rows.length} stored`;
      const all = new Set(rows);
      expect(all.size, said).toBe(rows.length);
      expect(
        answered.filter((id) => !all.has(id)),
        said,
      ).toEqual([]);
      expect(rows.length, said).toBeLessThanOrEqual(asked);
      const counted = async () => (await figure(metric)) - before.get(metric)!;
      await expect.poll(counted, { timeout: 20_000, message: said }).toBeGreaterThanOrEqual(answered.length);
      expect(await counted(), said).toBeLessThanOrEqual(asked);
    }
  });
});
