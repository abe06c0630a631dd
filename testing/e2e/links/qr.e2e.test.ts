// The QR code of a link as an image on its host.

import { freshIp, IPHONE, startSystem } from '@landfall/testkit';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readQr, TWO_CM } from '../../../services/gateway/src/link-host/qr/read-qr.testing.ts';
import { expectError, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp({ ios: { storeId: '1234567890' } });
const link = await system.makeLink(app);

const scanned = (image: Buffer | string) => readQr(image, TWO_CM);

/** Loads a code as a page does that shows it. */
const load = (suffix: string, headers: Record<string, string> = {}) =>
  system.tap(`${link.url}.qr.${suffix}`, { ip: freshIp(), userAgent: IPHONE, headers });

describe('the QR code of a link', () => {
  it('is an SVG that leads to the link as a scan', async () => {
    const answer = await load('svg');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(await scanned(answer.text)).toBe(`${link.url}?qr`);
  });

  it('is a PNG of the wanted size and colours', async () => {
    const answer = await load('png?size=300&margin=2&color=%230b3d91&background=fff4d6&errorCorrection=Q');
    expect(answer.headers['content-type']).toBe('image/png');
    const image = sharp(answer.bytes);
    expect(await image.metadata()).toMatchObject({ format: 'png', width: 300, height: 300 });
    const corner = await image.removeAlpha().raw().toBuffer();
    expect([...corner.subarray(0, 3)]).toEqual([0xff, 0xf4, 0xd6]);
    expect(await scanned(answer.bytes)).toBe(`${link.url}?qr`);
  });

  it('is not sent again to a cache that has it, and has another tag with other options', async () => {
    const { etag } = (await load('svg')).headers;
    const again = await load('svg', { 'if-none-match': `W/${etag}` });
    expect({ status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
      status: 304,
      text: '',
      etag,
    });
    for (const other of ['svg?margin=1', 'svg?color=102030', 'png']) {
      expect((await load(other)).headers.etag).not.toBe(etag);
    }
    expect((await load('svg?margin=1', { 'if-none-match': etag! })).status).toBe(200);
  });

  it('is a file with a name for those who download it', async () => {
    const { headers } = await load('png?download=true');
    expect(headers['content-disposition']).toBe(`attachment; filename="${link.slug}.png"`);
    expect((await load('png')).headers['content-disposition']).toBeUndefined();
  });

  it('counts as no tap, and its scan counts as one by QR code', async () => {
    const clicks = async () => {
      await system.settled();
      const path = `/api/manage/apps/${app.app.id}/analytics?metric=clicks&groupBy=via`;
      const { groups } = (await system.manage({ path })).json;
      return groups.map((group: { value: string; total: number }) => [group.value, group.total]);
    };
    await load('svg');
    await load('png');
    expect(await clicks()).toEqual([]);
    await calls.tap(`${link.url}?qr`, { ip: freshIp(), userAgent: IPHONE });
    expect(await clicks()).toEqual([['qr', 1]]);
  });

  it.each([
    ['size=63', 'size', /from 64 to 2048/],
    ['size=4096', 'size', /from 64 to 2048/],
    ['size=1e3', 'size', /from 64 to 2048/],
    ['margin=-1', 'margin', /from 0 to 16/],
    ['color=red', 'color', /hexadecimal/],
    ['background=%22%2F%3E%3Cscript%3E', 'background', /hexadecimal/],
    ['color=ffffff&background=000000', 'color', /darker/],
    ['color=aaaaaa', 'color', /contrast/],
    ['errorCorrection=X', 'errorCorrection', /L, M, Q, H/],
    ['logo=1', 'logo', /true or false/],
    ['colour=102030', 'colour', /did you mean color/],
  ])('refuses %s', async (query, path, message) => {
    const answer = await load(`svg?${query}`);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json.details).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it.each([
    'png?size=64&errorCorrection=H&margin=16',
    'svg?size=64&errorCorrection=H&margin=16',
    'png?size=64&margin=16',
  ])('refuses %s, in which a module has less than a pixel', async (suffix) => {
    const answer = await load(suffix);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toEqual([{ path: 'size', message: expect.stringMatching(/at least \d+/) }]);
    const least = /at least (\d+)/.exec(answer.json.details[0].message)![1]!;
    expect((await load(suffix.replace(/size=\d+/, `size=${least}`))).status).toBe(200);
    expect((await load(suffix.replace(/size=\d+/, `size=${Number(least) - 1}`))).status).toBe(400);
  });

  it('is refused when many wait, and other requests go on', async () => {
    const codes = Array.from({ length: 100 }, (_, i) =>
      load(`png?size=2048&color=0000${i.toString(16).padStart(2, '0')}`),
    );
    const tap = await calls.tap(link.url, { ip: freshIp(), userAgent: IPHONE });
    const answers = await Promise.all(codes);
    const drawn = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(tap.status).toBeLessThan(400);
    expect(drawn.length).toBeGreaterThanOrEqual(42);
    for (const answer of refused) {
      expectError(answer, 503, 'BUSY');
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(await scanned(drawn.at(-1)!.bytes)).toBe(`${link.url}?qr`);
  });

  it('does not exist for an unknown link, and not any more for one that has ended', async () => {
    const unknown = await system.tap(link.url.replace(/[^/]+$/, '1763737445000-aaaaaaaaaaaa.qr.svg'), {
      ip: freshIp(),
    });
    expect({ status: unknown.status, caching: unknown.headers['cache-control'] }).toEqual({
      status: 404,
      caching: 'no-store',
    });
    const ended = await system.makeLink(app);
    await calls.edit(ended.id, { archived: true });
    for (const format of ['svg', 'png']) {
      const answer = await system.tap(`${ended.url}.qr.${format}`, { ip: freshIp() });
      expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
        status: 410,
        type: 'text/html; charset=utf-8',
      });
    }
  });

  it('is limited by address, and a large PNG that must be drawn counts as more', async () => {
    const limited = await startSystem({ RATE_LIMITS: 'qr=6' });
    onTestFinished(() => limited.stop());
    const { url } = await limited.makeLink(await limited.makeApp({ ios: { bundleId: 'com.example.shop' } }));
    const loaded = async (ip: string, suffixes: string[]) => {
      const statuses = [];
      for (const suffix of suffixes) statuses.push((await limited.tap(`${url}.qr.${suffix}`, { ip })).status);
      return statuses;
    };
    const [svg, large] = ['svg', 'png?size=2048'];
    const ip = freshIp();
    expect(await loaded(ip, [svg, svg, svg, svg, svg, svg, svg])).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect((await limited.tap(url, { ip })).status).toBe(200);
    // The first one is drawn and counts as five. The next ones come from memory.
    expect(await loaded(freshIp(), [large, large, svg])).toEqual([200, 200, 429]);
  });
});
