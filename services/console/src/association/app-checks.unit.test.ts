import { anApp } from '@landfall/contracts/testing';
import { appleAppSiteAssociation, assetLinks } from '@landfall/gateway';
import { describe, expect, it } from 'vitest';
import { checkHosts, checksOf } from './app-checks.ts';
import type { GotFile } from './get-file.ts';

const COMPLETE = anApp({
  ios: { teamId: 'ABCDE12345', bundleId: 'com.example.notes', storeId: '1', storeUrl: null },
  android: {
    package: 'com.example.notes',
    certificates: [Array(32).fill('AB').join(':')],
    storeUrl: null,
    huaweiStoreUrl: null,
    amazonStoreUrl: null,
  },
});
const HOST = 'notes.example.com';

type Answer = (url: string) => GotFile | Promise<GotFile>;
const file = (text: string, change: Partial<GotFile> = {}): GotFile => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  text,
  ...change,
});
const json = (value: unknown) => file(JSON.stringify(value));
const withCode = (code: string) => Object.assign(new Error(code), { code });
const served: Answer = (url) =>
  json(url.endsWith('assetlinks.json') ? assetLinks(COMPLETE) : appleAppSiteAssociation(COMPLETE));

async function findings({
  app = COMPLETE,
  scheme = 'https:',
  hosts = [HOST],
  answer = served,
  simulated = false,
} = {}) {
  const found = await checksOf({ app, scheme, hosts, simulated, get: async (url) => answer(url) });
  return Object.fromEntries(found.map(({ check, state, detail, fix }) => [check, { state, detail, fix }]));
}

describe('the checks of an app', () => {
  it('are all well for an app that phones open', async () => {
    const states = Object.values(await findings()).map(({ state, fix }) => [state, fix]);
    expect(states).toEqual(Array(7).fill(['ok', null]));
  });

  it('name each value that is missing', async () => {
    const app = anApp({
      ios: { teamId: null, bundleId: null, storeId: null, storeUrl: null },
      android: { package: null, certificates: [], storeUrl: null, huaweiStoreUrl: null, amazonStoreUrl: null },
      webFallbackUrl: null,
    });
    const found = await findings({ app, scheme: 'http:' });
    expect(found['ios-settings']!.detail).toContain('lack the team identifier and the bundle identifier');
    expect(found['android-settings']!.detail).toContain('application id and the SHA-256');
    expect(found.https!.state).toBe('warn');
    expect(found['ios-store']!.state).toBe('warn');
    expect(found['android-store']!.state).toBe('warn');
    expect(found['apple-file']!.state).toBe('skipped');
    expect(found['google-file']!.state).toBe('skipped');
    const played = await findings({ app, simulated: true });
    const example = anApp({
      ios: { storeId: '1000000000', teamId: 'ABCDE12345', bundleId: 'com.example.demo' },
      android: { package: 'com.example.demo' },
    });
    const demo = await findings({ app: example, simulated: true });
    for (const store of ['ios-store', 'android-store']) expect(demo[store]).toEqual(played[store]);
    for (const store of ['ios-store', 'android-store'])
      expect(played[store]).toMatchObject({ state: 'skipped', detail: expect.stringContaining('simulated app takes') });
  });

  it.each<[string, Answer, RegExp]>([
    ['redirects', () => file('', { status: 301 }), /redirects/],
    ['answers 404', () => file('', { status: 404 }), /status 404/],
    ['sends HTML', () => file('<html>', { type: 'text/html' }), /application\/json/],
    ['sends no JSON', () => file('<html>'), /not valid JSON/],
    ['has a file without apps', () => json({ applinks: {} }), /no applinks\.details/],
    [
      'names another app',
      () => json({ applinks: { details: [{ appIDs: ['ABCDE12345.x'] }] } }),
      /does not name ABCDE12345/,
    ],
    [
      'names another team',
      () => json({ applinks: { details: [{ appID: 'ZZZZZ12345.com.example.notes' }] } }),
      /another team than ABCDE12345/,
    ],
    [
      'has other paths',
      () => json({ applinks: { details: [{ appIDs: ['ABCDE12345.com.example.notes'], components: [] }] } }),
      /Another file/,
    ],
    ['has a large file', () => Promise.reject(withCode('TOO_LARGE')), /128 KB/],
    ['has no DNS record', () => Promise.reject(withCode('ENOTFOUND')), /no address in DNS \(ENOTFOUND\)/],
    ['has an old certificate', () => Promise.reject(withCode('CERT_HAS_EXPIRED')), /certificate/],
    ['leads into a private network', () => Promise.reject(withCode('PRIVATE_ADDRESS')), /internet does not reach/],
    ['does not answer', () => Promise.reject(withCode('TIMEOUT')), /does not answer this gateway \(TIMEOUT\)/],
  ])('fail with a fix when the host %s', async (_, answer, detail) => {
    const found = (await findings({ answer }))['apple-file']!;
    expect(found).toMatchObject({ state: 'failed', detail: expect.stringMatching(detail), fix: expect.any(String) });
  });

  it('name the fingerprint that Google’s file lacks', async () => {
    const [link] = assetLinks(COMPLETE)!;
    const target = { ...link!.target, sha256_cert_fingerprints: [] };
    const found = (await findings({ answer: () => json([{ ...link, target }]) }))['google-file']!;
    expect(found).toMatchObject({ state: 'failed', detail: expect.stringContaining('lacks the fingerprint AB:AB') });
    const other = (await findings({ answer: () => json([{ ...link, relation: [] }]) }))['google-file']!;
    expect(other.detail).toContain('does not name com.example.notes');
  });

  it('do not ask a host of this machine alone', async () => {
    const answer = () => Promise.reject(new Error('asked'));
    for (const host of ['notes.localhost:8080', '127.0.0.1:8080'])
      expect((await findings({ hosts: [host], answer }))['google-file']!.state).toBe('warn');
  });
});

describe('the copies at Apple and Google', () => {
  const apple = appleAppSiteAssociation(COMPLETE);
  const google = (sha256Fingerprint: string) => ({
    statements: [{ target: { androidApp: { packageName: 'com.example.notes', certificate: { sha256Fingerprint } } } }],
  });
  const CERTIFICATE = COMPLETE.android.certificates[0]!;

  async function copies(answer: Answer) {
    const get = async (url: string) => (url.includes(`//${HOST}/`) ? served(url) : answer(url));
    const found = await checkHosts({ app: COMPLETE, scheme: 'https:', hosts: [HOST], get }, true);
    return found.filter(({ check }) => check.endsWith('copy'));
  }
  const byUrl =
    (ofApple: GotFile, ofGoogle: GotFile): Answer =>
    (url) =>
      url.includes('apple') ? ofApple : ofGoogle;

  it('are well when they name the app', async () => {
    const found = await copies(byUrl(json(apple), json(google(CERTIFICATE))));
    expect(found.map(({ check, state, fix }) => [check, state, fix])).toEqual([
      ['apple-copy', 'ok', null],
      ['google-copy', 'ok', null],
    ]);
  });

  it('are asked for by the host', async () => {
    const urls: string[] = [];
    await copies((url) => {
      urls.push(url);
      return json({});
    });
    expect(urls).toEqual([
      `https://app-site-association.cdn-apple.com/a/v1/${HOST}`,
      `https://digitalassetlinks.googleapis.com/v1/statements:list?source.web.site=https%3A%2F%2F${HOST}&relation=delegate_permission%2Fcommon.handle_all_urls`,
    ]);
  });

  it.each<[string, Answer, RegExp]>([
    ['missing', byUrl(file('', { status: 404 }), json({})), /no copy|not current/],
    ['old', byUrl(json({ applinks: { details: [{ appID: 'X.y' }] } }), json(google('CD:EF'))), /not current/],
  ])('are a warning, and no failure, when they are %s', async (_, answer, detail) => {
    for (const finding of await copies(answer))
      expect(finding).toMatchObject({ state: 'warn', detail: expect.stringMatching(detail), fix: expect.any(String) });
  });

  it.each<[string, Answer]>([
    ['there is no way to the internet', () => Promise.reject(withCode('ENOTFOUND'))],
    ['they answer with an error', () => file('', { status: 503 })],
    ['they answer with something else', () => file('<html>')],
  ])('are skipped when %s', async (_, answer) => {
    for (const finding of await copies(answer)) expect(finding.state).toBe('skipped');
  });
});
