import { describe, expect, it } from 'vitest';
import { checksOf } from './app-checks.ts';
import { appleAppSiteAssociation, assetLinks } from './association-files.ts';
import { anApp } from './samples.testing.ts';

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

type Answer = (url: string) => Response | Promise<Response>;
const served: Answer = (url) =>
  Response.json(url.endsWith('assetlinks.json') ? assetLinks(COMPLETE) : appleAppSiteAssociation(COMPLETE));

async function findings({ app = COMPLETE, scheme = 'https:', hosts = [HOST], answer = served } = {}) {
  const found = await checksOf({ app, scheme, hosts, fetch: async (url) => answer(String(url)) });
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
  });

  it.each<[string, Answer, RegExp]>([
    ['redirects', () => new Response(null, { status: 301, headers: { location: '/' } }), /redirects/],
    ['answers 404', () => new Response('', { status: 404 }), /status 404/],
    ['sends HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), /application\/json/],
    ['has another file', () => Response.json({ applinks: {} }), /Another file/],
    ['has a large file', () => Response.json('x'.repeat(200_000)), /128 KB/],
    [
      'has no DNS record',
      () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } })),
      /ENOTFOUND/,
    ],
    [
      'does not answer',
      () => Promise.reject(new DOMException('The operation was aborted', 'TimeoutError')),
      /TimeoutError/,
    ],
  ])('fail with a fix when the host %s', async (_, answer, detail) => {
    const found = (await findings({ answer }))['apple-file']!;
    expect(found).toMatchObject({ state: 'failed', detail: expect.stringMatching(detail), fix: expect.any(String) });
  });

  it('do not ask a host of this machine alone', async () => {
    const answer = () => Promise.reject(new Error('asked'));
    for (const host of ['notes.localhost:8080', '127.0.0.1:8080'])
      expect((await findings({ hosts: [host], answer }))['google-file']!.state).toBe('warn');
  });
});
