// Checks that every record of the public topics fits /asyncapi.json. Runs after the end-to-end suite and reads every record
// that the suite left. A record that does not fit, or a topic without documentation, fails here.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { productTopics } from '@landfall/bus/kafka';
import { asyncapi } from '@landfall/console/asyncapi';
import { AppChanged, events } from '@landfall/contracts';
import {
  ANDROID,
  type AsyncApi,
  describeScaledOut,
  openTopics,
  type PublicRecord,
  peopleOf,
  readTopics,
  recordChecker,
  type StoredRecord,
  type System,
  startSystem,
  type TestApp,
} from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { patch, post } from '../calls.ts';

const stack = inject('stack');
const document: AsyncApi = JSON.parse(JSON.stringify(asyncapi()));
const documented = Object.values(document.channels).map(({ address }) => address);
const wrongWith = recordChecker(document);
const noKcat = spawnSync('kcat', ['-V']).error ? ' (there is no kcat: install it, e.g. apt-get install kcat)' : '';

describeScaledOut('the public topics of the whole run', () => {
  let system: System;
  let appId: string;
  let linkId: string;
  let records: StoredRecord[];
  let topics: ReturnType<typeof openTopics>;

  /** Sends one request of each kind, so that this file also works when it runs alone. */
  beforeAll(async () => {
    system = await startSystem();
    topics = openTopics(stack.brokers, stack.prefix);
    const app = await system.makeApp({ android: { package: 'com.example.shop' } });
    appId = app.app.id;
    const ip = '203.0.113.78';
    const deviceFingerprint = 'a device of the public topics';
    const sdk = (name: string, body: object) =>
      system.sdk(app, { method: 'POST', path: `/api/deferred-deep-linking/${name}`, ip, body });
    const link = await system.makeLink(app);
    linkId = link.id;
    const tapped = await system.tap(link.url, { ip, userAgent: ANDROID });
    const installReferrer = new URL(tapped.headers.location!).searchParams.get('referrer')!;
    await sdk('install-heartbeat', { deviceFingerprint });
    const deviceToken = 'a:token-of-the-public-topics';
    for (const [path, body] of [
      ['register', { deviceToken, platform: 'android' }],
      ['opened', { deviceToken, notificationId: 'of another service' }],
      ['unregister', { deviceToken }],
    ] as const)
      expect((await system.sdk(app, { method: 'POST', path: `/api/push/${path}`, ip, body })).status).toBe(200);
    await push(app);
    const owner = await peopleOf(system).setUp();
    const renamed = await owner.send(patch(`/api/manage/teams/${owner.teamId}`, { name: 'Oranges' }));
    expect(renamed.status, renamed.text).toBe(200);
    await system.settled();
    expect((await sdk('restore', { deviceFingerprint, installReferrer })).json).toMatchObject({ count: 1 });
    const zone = patch(`/api/manage/apps/${app.app.id}`, { timeZone: 'Asia/Kolkata' });
    expect((await system.manage(zone)).json.app.timeZone).toBe('Asia/Kolkata');
    const opened = await system.sdk(app, { path: `/api/links/get-by-slug?slug=${link.slug}&appId=${app.app.id}`, ip });
    expect(opened.status, opened.text).toBe(200);
    const archived = await system.manage(patch(`/api/manage/links/${link.id}`, { archived: true }));
    expect(archived.status, archived.text).toBe(200);
    system.clock.advance({ hours: 24 });
    await sdk('install-heartbeat', { deviceFingerprint });
    await system.settled();
    // The answer to an opened link does not wait for the event.
    await vi.waitFor(async () => expect(await topics.count('link.opened')).toBeGreaterThan(0), 10_000);
    records = await readTopics(stack.brokers, stack.prefix);
    const counts = documented.map((topic) => `${records.filter((record) => record.topic === topic).length} ${topic}`);
    console.info(`checked: ${counts.join(', ')}`);
  }, 60_000);
  afterAll(() => Promise.all([system?.stop(), topics?.close()]));

  const of = (topic: string) =>
    records
      .filter((record) => record.topic === topic)
      .map(({ headers, value }) => ({ headers, data: JSON.parse(value!) }));

  /** Sends a push to a device that receives it, and to a device that has deleted the app. */
  async function push(app: TestApp): Promise<void> {
    const asked = async (method: string, path: string, body?: object) => {
      const answer = await system.manage({ method, path, body });
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    };
    await asked('PUT', `/api/manage/apps/${app.app.id}/push-providers/fcm`, stack.fakes.serviceAccount);
    for (const deviceToken of ['another:token-of-the-public-topics', 'unregistered-token-of-the-public-topics']) {
      const body = { deviceToken, platform: 'android' };
      const registered = await system.sdk(app, post('/api/push/register', body));
      expect(registered.status, registered.text).toBe(200);
    }
    const all = { appId: app.app.id, title: 'Hello', body: 'World', target: { all: true } };
    const { notificationId } = await asked('POST', '/api/push/send', all);
    const path = `/api/manage/notifications/${notificationId}`;
    await vi.waitFor(async () => expect((await asked('GET', path)).notification.status).toBe('sent'), 20_000);
    for (const topic of ['push.sent', 'push.failed', 'push.dropped'])
      await vi.waitFor(async () => expect(await topics.count(topic)).toBeGreaterThan(0), 10_000);
  }

  it('are all of ours that are for others', async () => {
    const known = new Set(productTopics('', ['attribution', 'account', 'analytics']).keys());
    expect((await topics.names()).filter((topic) => !known.has(topic))).toEqual([]);
    const wanted = events.filter(({ audience }) => audience === 'public').map(({ topic }) => topic);
    expect(documented.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(documented)('%s has records, each of which is what the document says', (topic) => {
    const found = records.filter((record) => record.topic === topic);
    expect(found.length).toBeGreaterThan(0);
    const wrong = found.flatMap((record) => wrongWith(record).map((what) => `${what} in ${record.text}`));
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  it.each(events.map((event) => [event.name, event] as const))(
    '%s is told by the service that it names',
    (_, event) => {
      const sources = records.filter(({ topic }) => topic === event.topic).map(({ headers }) => headers.ce_source);
      // The tests themselves make apps and keys, as a program does.
      expect([...new Set(sources)].filter((source) => source !== '/landfall/test')).toEqual([
        `/landfall/${event.producer}`,
      ]);
    },
  );

  it('an install, its click and its restore can be put together', () => {
    const restored = of('links.restored').find(({ data }) => data.links[0].linkId === linkId)!.data;
    const click = of('link.clicked').find(({ headers }) => headers.ce_id === restored.links[0].pendingLinkId);
    expect(click?.data).toMatchObject({ linkId, deferred: true });
    expect(restored.links[0].tappedAt).toBe(click?.headers.ce_time);
    const install = of('device.installed').find(({ data }) => data.device === restored.device);
    const active = of('device.active').find(({ data }) => data.device === restored.device);
    expect(active?.data).toMatchObject({ appId: install?.data.appId, day: 1, installedAt: install?.headers.ce_time });
  });

  it('the time zone of an app travels when it changes', () => {
    const zones = records.filter(({ topic }) => topic === AppChanged.topic).map(({ value }) => JSON.parse(value!));
    expect(zones).toContainEqual(expect.objectContaining({ appId, timeZone: 'Asia/Kolkata' }));
  });

  describe.skipIf(noKcat)(`are read by kcat, which knows nothing of us${noKcat}`, () => {
    // A start of kcat waits for a second and does nothing meanwhile.
    it('each of them', async () => {
      await Promise.all(documented.map(read));
    }, 60_000);

    async function read(topic: string) {
      const options = ['-b', stack.brokers.join(), '-t', stack.prefix + topic, '-o', 'beginning'];
      const { stdout } = await promisify(execFile)('kcat', ['-C', ...options, '-e', '-q', '-J'], {
        maxBuffer: 2 ** 28,
      });
      const found = stdout.trim().split('\n').map(fromKcat);
      expect(found.length, topic).toBeGreaterThanOrEqual(records.filter((record) => record.topic === topic).length);
      expect(found.flatMap((record) => wrongWith({ ...record, topic })).slice(0, 20)).toEqual([]);
    }
  });

  describe('a record would be found', () => {
    const right = () => records.find(({ topic }) => topic === 'link.clicked')!;
    const data = () => JSON.parse(right().value!);
    const changed = (change: Partial<PublicRecord>): PublicRecord => ({ ...right(), ...change });
    const withHeaders = (change: Record<string, string | undefined>) =>
      changed({ headers: JSON.parse(JSON.stringify({ ...right().headers, ...change })) });
    const withData = (change: object) => changed({ value: JSON.stringify({ ...data(), ...change }) });

    it.each<[what: string, record: () => PublicRecord, said: string]>([
      ['in a topic that is in no document', () => changed({ topic: 'link.shared' }), 'no such topic'],
      ['without an id', () => withHeaders({ ce_id: undefined }), 'No CloudEvent detected'],
      ['with an id that is none', () => withHeaders({ ce_id: '1' }), 'headers/ce_id: must match format "uuid"'],
      ['of another type', () => withHeaders({ ce_type: 'LinkOpened' }), 'headers/ce_type: must be equal to constant'],
      ['without a source', () => withHeaders({ ce_source: undefined }), "must have required property 'ce_source'"],
      ['with a time that is none', () => withHeaders({ ce_time: 'today' }), 'headers/ce_time: must match format'],
      ['with a name that CloudEvents forbids', () => withHeaders({ ce_partition_key: 'x' }), 'CloudEvents: '],
      [
        'that is structured',
        () => withHeaders({ 'content-type': 'application/cloudevents+json' }),
        'headers/content-type',
      ],
      ['without a field', () => withData({ url: undefined }), "value: must have required property 'url'"],
      ['with a field of another type', () => withData({ inApp: 'no' }), 'value/inApp: must be boolean'],
      [
        'with a value that is not listed',
        () => withData({ platform: 'toaster' }),
        'value/platform: must be equal to one',
      ],
      [
        'with an id in its data that is none',
        () => withData({ linkId: 'x' }),
        'value/linkId: must match format "uuid"',
      ],
      ['with an address in clear', () => withData({ address: '203.0.113.78' }), 'value/address: must match pattern'],
      ['that is no JSON', () => changed({ value: '{' }), 'CloudEvents: '],
      ['that is empty', () => changed({ value: null }), 'CloudEvents: Value is null'],
      ['with another key', () => changed({ key: crypto.randomUUID() }), 'key: is not ce_partitionkey'],
      ['without a key', () => changed({ key: null }), 'key: must be string'],
    ])('%s', (_, record, said) => {
      expect(wrongWith(record()).join('\n')).toContain(said);
    });

    it('but not one that says more', () => {
      const { headers } = withHeaders({ ce_later: 'x', later: 'y' });
      expect(wrongWith({ ...withData({ later: { a: 1 } }), headers })).toEqual([]);
    });
  });
});

/** Parses a line of `kcat -J`. The headers in it are a list of alternating names and values. */
function fromKcat(line: string): Omit<PublicRecord, 'topic'> {
  const { key, payload, headers } = JSON.parse(line) as { key: string; payload: string; headers: string[] };
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []));
  return { key, headers: Object.fromEntries(pairs), value: payload };
}
