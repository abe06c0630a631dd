// The branding of an app: its logo from the upload to the page, and hostile input in every field.

import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readQr, TWO_CM } from '../../../services/gateway/src/link-host/qr/read-qr.testing.ts';
import { expectError, patch, put, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();

const aPng = (color: string, size = 300) =>
  sharp({ create: { width: size, height: size, channels: 3, background: color } })
    .png()
    .toBuffer();
const logoOf = (appId: string) => `/api/manage/apps/${appId}/logo`;
const upload = (appId: string, image: unknown) => calls.change(put(logoOf(appId), { image }));
const CHOOSE =
  'Mozilla/5.0 (Linux; Android 12; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/32.0.0.8.18 Mobile Safari/537.36';

async function appAndLink() {
  const made = await system.makeApp({});
  const link = await system.makeLink(made, '/x');
  return { app: made.app, link, host: new URL(link.url).host };
}

describe('a logo', () => {
  it('is on the pages of the app, under an address that never changes', async () => {
    const { app, link, host } = await appAndLink();
    const first = await upload(app.id, (await aPng('#c81e5a')).toString('base64'));
    expect(first.status, first.text).toBe(200);
    const { logo } = first.json.app.branding;
    expect(first.headers.etag).toBe(`"${first.json.app.version}"`);
    const page = await calls.tap(link.url, { userAgent: CHOOSE });
    expect(page.text).toContain(`<img class="sign" src="/logos/${logo}.png"`);
    expect(page.headers['content-security-policy']).toContain("img-src 'self'");
    const shown = await fetch(`http://127.0.0.1:${system.port}/logos/${logo}.png`);
    expect(shown.status).toBe(200);
    expect((await system.send({ path: `/logos/${logo}.png`, headers: { host } })).status).toBe(200);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const bytes = Buffer.from(await shown.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(logo);

    const qr = await system.send({ path: `${new URL(link.url).pathname}.qr.svg`, headers: { host } });
    expect(qr.text).toContain(`href="data:image/png;base64,${bytes.toString('base64')}"`);
    expect(await readQr(qr.text, 2 * TWO_CM)).toBe(`${link.url}?qr`);

    const second = await upload(app.id, (await aPng('#1e5ac8')).toString('base64'));
    expect(second.json.app.branding.logo).not.toBe(logo);
    const removed = await calls.change({ method: 'DELETE', path: logoOf(app.id) });
    expect(removed.json.app.branding.logo).toBeNull();
    expect((await calls.tap(link.url, { userAgent: CHOOSE })).text).not.toContain('<img');
  });

  it('is looked at with a page that is not stored, in a frame of the web app alone', async () => {
    const { app } = await appAndLink();
    const look = { color: '#1a7f5a', sentence: '<b>Coffee</b>' };
    const path = `/api/manage/apps/${app.id}/page-preview`;
    const query = new URLSearchParams(look);
    const page = await calls.change({ path: `${path}?${query}` });
    expect(page.status, page.text).toBe(200);
    expect(page.text).toContain('&lt;b&gt;Coffee');
    expect(page.text).toContain(look.color);
    expect(page.headers['content-security-policy']).toMatch(/frame-ancestors 'self'.*; sandbox$/);
    expect((await calls.change({ path })).text).not.toContain('Coffee');
    const asPage = { path: `${path}?${query}`, headers: { 'sec-fetch-dest': 'document' } };
    expectError(await calls.change(asPage), 404, 'NOT_FOUND');
    expectError(await calls.change({ path: `${path}?color=red` }), 400, 'INVALID_REQUEST');
  });

  it('may be that of two apps, and stays with the one that keeps it', async () => {
    const [{ app: one }, { app: other }] = [await system.makeApp({}), await system.makeApp({})];
    const image = (await aPng('#00aa55')).toString('base64');
    const { logo } = (await upload(one.id, image)).json.app.branding;
    expect((await upload(other.id, image)).json.app.branding.logo).toBe(logo);
    await calls.change({ method: 'DELETE', path: logoOf(one.id) });
    expect((await system.send({ path: `/logos/${logo}.png` })).status).toBe(200);
  });

  it('cannot be set by naming one', async () => {
    const { app } = await system.makeApp({});
    const logo = 'ab'.repeat(32);
    const answer = await system.manage(patch(`/api/manage/apps/${app.id}`, { branding: { logo } }));
    expectError(answer, 400, 'INVALID_REQUEST');
  });

  it.each(['/logos', '/logos/', '/logos/x.png', `/logos/${'0'.repeat(64)}.png`, `/logos/${'0'.repeat(64)}.svg`])(
    'is not at %s',
    async (path) => expect((await system.send({ path })).status).toBe(404),
  );
});

describe('a hostile upload', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>';
  it.each([
    ['a script', Buffer.from('<script>alert(1)</script>'), 'must be a PNG, a JPEG or a WebP image'],
    ['an SVG', Buffer.from(svg), 'must be a PNG, a JPEG or a WebP image'],
    ['4 MB', Buffer.alloc(4 * 1_048_576, 1), 'must be at most 1 MB'],
    ['a broken PNG', Buffer.from('\x89PNG\r\n\x1a\nxxxx', 'latin1'), 'cannot be decoded: the file is damaged'],
  ])('is refused and not stored: %s', async (_, bytes, message) => {
    const { app } = await system.makeApp({});
    const answer = await upload(app.id, bytes.toString('base64'));
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toEqual([{ path: 'image', message }]);
    const after = await system.manage({ path: `/api/manage/apps/${app.id}` });
    expect(after.json.app.branding.logo).toBeNull();
  });

  it.each([
    ['not base64', '<svg>'],
    ['a number', 7],
    ['nothing', undefined],
    ['null', null],
  ])('is refused when it is %s', async (_, image) => {
    const { app } = await system.makeApp({});
    const answer = await upload(app.id, image);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toMatchObject([{ path: 'image' }]);
  });
});

describe('the texts and colors', () => {
  const change = (settings: object) => async () => {
    const { app } = await system.makeApp({});
    return system.manage(patch(`/api/manage/apps/${app.id}`, settings));
  };
  const line = 'must be one line without control characters';
  it.each<[path: string, value: unknown, message: RegExp | string]>([
    ['branding.color', 'red', 'must be a color such as #1a7f5a'],
    ['branding.color', '#fff', 'must be a color such as #1a7f5a'],
    ['branding.color', '#ffffff;}body{display:none', 'must be a color such as #1a7f5a'],
    ['branding.color', 7, /string/],
    ['branding.sentence', 'one\ntwo', line],
    ['branding.sentence', 'one\u2028two', line],
    ['branding.sentence', 'a\u0007', line],
    ['branding.sentence', ' ', 'must not be blank'],
    ['branding.sentence', 'x'.repeat(141), /140/],
    ['social.title', 'x"\r\nSet-Cookie: a=b', line],
    ['social.title', 'x'.repeat(71), /70/],
    ['social.description', 'x'.repeat(201), /200/],
    ['social.imageUrl', 'http://a.example/i.png', 'must be an https URL'],
    ['social.imageUrl', 'javascript:alert(1)', 'must be an https URL'],
    ['social.imageUrl', 'data:image/png;base64,AA==', 'must be an https URL'],
    ['ios.appClipBundleId', 'a, app-id=9', 'must be a bundle identifier'],
  ])('refuses %s %j', async (path, value, message) => {
    const [group = '', field = ''] = path.split('.');
    const answer = await change({ [group]: { [field]: value } })();
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it('shows quotes and tags as text', async () => {
    const { app, link } = await appAndLink();
    const hostile = `"><script>alert('1')</script>`;
    const settings = {
      branding: { sentence: hostile, color: '#C81E5A' },
      social: { title: hostile, description: hostile },
    };
    const answer = await calls.change(patch(`/api/manage/apps/${app.id}`, settings));
    expect(answer.status, answer.text).toBe(200);
    const page = await calls.tap(link.url, { userAgent: CHOOSE });
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;');
    expect(page.text).toContain('--strong: #c81e5a;');
  });
});
