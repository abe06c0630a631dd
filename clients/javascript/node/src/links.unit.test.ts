import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeServer, type Reply, refusal } from './fake-server.testing.ts';
import { Landfall } from './landfall.ts';
import { CLIENT } from './send.ts';

const KEY = `ol_${'0'.repeat(32)}`;
const link = { id: '1', slug: '1-a', url: 'https://shop.links.example/1-a', destination: '/a', metadata: {} };
const made: Reply = { status: 200, body: { success: true, link } };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function landfall(...replies: Reply[]) {
  const server = fakeServer(...replies);
  return { ...new Landfall({ url: 'https://api.example/', key: KEY, fetch: server.fetch }), asked: server.asked };
}

/** Lets all waits of a call pass, and returns what became of it. */
async function outcome<T>(call: Promise<T>): Promise<T | { threw: unknown }> {
  const settled = call.catch((threw: unknown) => ({ threw }));
  await vi.runAllTimersAsync();
  return settled;
}

describe('create', () => {
  it('makes a link, with a key of idempotency', async () => {
    const { links, asked } = landfall(made);
    expect(await outcome(links.create({ destination: '/a', metadata: { b: 1 } }))).toEqual(link);
    expect(asked).toMatchObject([{ method: 'POST', url: 'https://api.example/api/links/create-sdk' }]);
    expect(JSON.parse(asked[0]!.body)).toEqual({ destination: '/a', metadata: { b: 1 } });
    expect(asked[0]!.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'idempotency-key': expect.stringMatching(/^[\w-]{36}$/),
      'x-landfall-client': CLIENT,
    });
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(CLIENT).toBe(`node/${version}`);
  });

  it('is tried again under the same key until there is an answer', async () => {
    const { links, asked } = landfall(null, refusal(500, 'FAILED'), { status: 502, body: '<html>' }, made);
    expect(await outcome(links.create({ destination: '/a' }, { idempotencyKey: 'order-1' }))).toEqual(link);
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('order-1'));
    expect(asked.map(({ at }) => at)).toEqual([0, 375, 1_125, 2_625]);
  });

  it('gives up a request after 15 s, and tries it again', async () => {
    const { links, asked } = landfall('silence', made);
    expect(await outcome(links.create({ destination: '/a' }))).toEqual(link);
    expect(asked.map(({ at }) => at)).toEqual([0, 15_375]);
  });

  it.each([429, 503])('waits as long as a %i says, and a little longer', async (status) => {
    const { links, asked } = landfall(refusal(status, 'BUSY', { 'retry-after': '7' }), made);
    expect(await outcome(links.create({ destination: '/a' }))).toEqual(link);
    expect(asked.map(({ at }) => at)).toEqual([0, 7_500]);
  });

  it('reads a date in Retry-After', async () => {
    vi.setSystemTime('2026-11-28T12:00:00Z');
    const { links, asked } = landfall(refusal(503, 'BUSY', { 'retry-after': 'Sat, 28 Nov 2026 12:00:10 GMT' }), made);
    await outcome(links.create({ destination: '/a' }));
    expect(asked.map(({ at }) => at)).toEqual([0, 10_500]);
  });

  it('does not wait longer than it may', async () => {
    const { links, asked } = landfall(refusal(429, 'RATE_LIMITED', { 'retry-after': '60', 'x-request-id': 'r1' }));
    const { threw } = (await outcome(links.create({ destination: '/a' }))) as { threw: unknown };
    expect(threw).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 60, requestId: 'r1' });
    expect(asked).toHaveLength(1);
    const patient = landfall(refusal(429, 'RATE_LIMITED', { 'retry-after': '60' }), made);
    expect(await outcome(patient.links.create({ destination: '/a' }, { retryForSeconds: 90 }))).toEqual(link);
  });

  it('ends after five tries', async () => {
    const { links, asked } = landfall(null);
    const { threw } = (await outcome(links.create({ destination: '/a' }))) as { threw: Error };
    expect(threw).toMatchObject({ name: 'LandfallError', code: 'NO_ANSWER', status: null });
    expect(threw.message).toContain('ECONNREFUSED');
    expect(threw.message).not.toContain(KEY);
    expect(asked).toHaveLength(5);
  });

  it('is not tried again when the server refuses it', async () => {
    const details = [{ path: 'destination', message: 'must start with /' }];
    const body = { error: 'destination must start with /', code: 'INVALID_REQUEST', details, limit: 3 };
    const { links, asked } = landfall({ status: 400, body });
    const { threw } = (await outcome(links.create({ destination: 'a' }))) as { threw: unknown };
    expect(threw).toMatchObject({ message: body.error, code: 'INVALID_REQUEST', status: 400, faults: details, body });
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Reply, string]>([
    ['a page', { status: 200, body: '<html>' }, '200 text/html'],
    ['a page that is missing', { status: 404, body: '<html>' }, '404 text/html'],
    ['another service', { status: 200, body: { ok: 1 } }, '200 application/json'],
    [
      'a redirect',
      { status: 308, body: '', headers: { location: 'https://other.example/' } },
      'https://other.example/',
    ],
  ])('names the address when %s answers', async (_, reply, says) => {
    const { links, asked } = landfall(reply);
    const { threw } = (await outcome(links.create({ destination: '/a' }))) as { threw: Error };
    expect(threw).toMatchObject({ code: 'NO_ANSWER' });
    expect(threw.message).toContain('https://api.example answered');
    expect(threw.message).toContain(says);
    // The platform follows none, which would take the key along.
    expect(asked.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('ends with its signal, while it asks and while it waits', async () => {
    for (const reply of ['silence', null] as const) {
      const { links, asked } = landfall(reply);
      const ending = new AbortController();
      const call = links.create({ destination: '/a' }, { signal: ending.signal });
      const ended = expect(call).rejects.toThrow('enough');
      await vi.advanceTimersByTimeAsync(100);
      ending.abort(new Error('enough'));
      await ended;
      await vi.runAllTimersAsync();
      expect(asked).toHaveLength(1);
    }
  });
});

describe('resolve', () => {
  const url = 'https://shop.links.example:8443/1763737445000-abc/?utm_source=x#top';

  it('says what the link says', async () => {
    const found = { ...link, destination: '/a?b=1', destination_path: '/a', parameters: { b: '1' } };
    const { links, asked } = landfall({ status: 200, body: { success: true, link: found } });
    const { id: linkId, destination, destination_path: path, parameters, metadata } = found;
    expect(await outcome(links.resolve(url))).toEqual({ linkId, destination, path, parameters, metadata });
    expect(asked[0]!.url).toBe(
      'https://api.example/api/links/get-by-slug?slug=1763737445000-abc&hostname=shop.links.example',
    );
  });

  it('is null for no link, and asks nothing for what can be none', async () => {
    const { links, asked } = landfall(refusal(404, 'LINK_NOT_FOUND'));
    expect(await outcome(links.resolve(url))).toBeNull();
    for (const none of ['https://shop.links.example/', 'shop://a/b', 'no address'])
      expect(await outcome(links.resolve(none))).toBeNull();
    expect(asked).toHaveLength(1);
  });
});

it.each([
  [{ url: 'api.example', key: KEY }, '`url`'],
  [{ url: 'ftp://api.example', key: KEY }, '`url`'],
  [{ url: undefined as never, key: KEY }, '`url`'],
  [{ url: 'https://api.example', key: undefined }, '`key`'],
])('says at once what is missing: %j', (options, says) => {
  expect(() => new Landfall(options)).toThrow(says);
});
