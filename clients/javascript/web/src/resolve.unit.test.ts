import { afterEach, expect, it, vi } from 'vitest';
import { resolve } from './resolve.ts';

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, { status }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const LINK = 'https://shop.links.example/1763737445000-abc/?utm_source=x#top';
const look = () => resolve(LINK, { url: 'https://api.example/' });

it('asks without a key and without cookies, and says what the link says', async () => {
  const link = {
    id: '7',
    slug: 's',
    destination: '/a?b=1',
    destination_path: '/a',
    parameters: { b: '1' },
    metadata: {},
  };
  const fetch = answer(200, JSON.stringify({ success: true, link }));
  expect(await look()).toEqual({
    linkId: '7',
    destination: '/a?b=1',
    path: '/a',
    parameters: { b: '1' },
    metadata: {},
  });
  const [url, init] = fetch.mock.calls[0]!;
  expect(url).toBe('https://api.example/api/links/get-by-slug?slug=1763737445000-abc&hostname=shop.links.example');
  expect(init).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
  // A header of our own would need a question to the server before.
  expect(init.headers).toBeUndefined();
});

it('says that the origin of the API is missing', async () => {
  for (const options of [undefined, {}, { url: '' }])
    await expect(resolve(LINK, options as never)).rejects.toThrow(/^`url` must be the origin/);
});

it('is null for no link, and for the home page', async () => {
  answer(404, '{"error":"There is no such link.","code":"LINK_NOT_FOUND"}');
  expect(await look()).toBeNull();
  const fetch = answer(200, '');
  expect(await resolve('https://shop.links.example/', { url: 'https://api.example' })).toBeNull();
  expect(fetch).not.toHaveBeenCalled();
});

it('throws what the server says, and that there was no answer', async () => {
  answer(429, '{"error":"Too many requests.","code":"RATE_LIMITED"}');
  await expect(look()).rejects.toMatchObject({ name: 'LandfallError', code: 'RATE_LIMITED', status: 429 });
  for (const page of ['<html>', '"a"', 'null', '{"success":true}']) {
    answer(200, page);
    await expect(look()).rejects.toMatchObject({ code: 'NO_ANSWER', status: 200 });
  }
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(look()).rejects.toMatchObject({ code: 'NO_ANSWER', status: null });
});
