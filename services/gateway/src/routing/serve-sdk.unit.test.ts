import { type ApiError, type HttpRequest, type HttpResponse, handlersOf } from '@landfall/http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { route, type SdkRoute } from './route.ts';
import { sdkKind } from './serve-sdk.ts';

const good = { summary: 'X', reply: z.object({}), handle: async () => ({}) } as const;

it('does not start with a route that does not state its key, or that belongs to the management API', () => {
  const start = (one: unknown) => () => handlersOf([one as SdkRoute], sdkKind({} as never), {} as never);
  const get = { ...good, method: 'GET' };
  expect(start({ ...get, path: '/api/links', auth: 'none' })).not.toThrow();
  expect(start({ ...get, path: '/api/links' })).toThrow('GET /api/links does not state its key');
  for (const path of ['/api/manage/apps', '/api/push/send'])
    expect(start({ ...get, path, auth: 'key' })).toThrow(`GET ${path} does not state its key`);
});

it('does not compile with a path of the management API', () => {
  // @ts-expect-error: no route for apps
  route('GET /api/manage/apps', { ...good, auth: 'none', limit: 'store' });
  // @ts-expect-error: no route for apps
  route('POST /api/push/send', { ...good, auth: 'none', limit: 'store' });
  route('GET /api/links', { ...good, auth: 'none', limit: 'store' });
});

describe('an unknown server key from an address that has reached its limit', () => {
  const path = '/api/links';
  const create = route('GET /api/links', {
    ...good,
    auth: 'any-key',
    limit: 'create-link',
    serverLimit: 'server-create',
  });

  /** Returns the result and the limit of one call, and the number of look-ups of its key. */
  async function call(given: { metMeanwhile?: boolean; mayLookUp?: boolean; isLive?: boolean }) {
    let met: string | undefined;
    let lookedUp = 0;
    const counted: string[] = [];
    const limits = {
      async use(name: string, key: string) {
        counted.push(`${name} ${key}`);
        // Redis answers late: another request has looked up the key meanwhile.
        if (given.metMeanwhile) met = 'key';
        return { limit: 10, remaining: 0, resetSeconds: 60, allowed: name === 'server-create' };
      },
    };
    const serving = {
      parts: {},
      serving: { addressOf: () => ({ key: 'address' }), limits },
      unmet: { use: async () => ({ allowed: given.mayLookUp === true }) },
      keys: {
        serverKeyId: () => met,
        serverKeyIdSoon: () => null,
        async meetServerKey() {
          lookedUp++;
          return given.isLive ? 'key' : undefined;
        },
        authenticate: async () => ({}),
      },
    };
    const res = { locals: { headers: {} }, writeHead() {}, end() {} } as unknown as HttpResponse;
    const handler = handlersOf([create], sdkKind(serving as never), serving.serving as never).get(path)!;
    const answer = async () => handler({ method: 'GET', url: path, headers: {} } as HttpRequest, res, () => {});
    const status = await answer().then(
      () => 200,
      (error: ApiError) => error.status,
    );
    return { status, counted, lookedUp };
  }

  const forAddress = 'create-link address';
  const forKey = 'server-create key';

  it('counts by the key when another call has looked it up meanwhile', async () => {
    expect(await call({ metMeanwhile: true })).toEqual({ status: 200, counted: [forAddress, forKey], lookedUp: 0 });
  });

  it('is looked up when the limit of the address is used up, and few such calls came here', async () => {
    const lookedUp = 1;
    expect(await call({ mayLookUp: true, isLive: true })).toEqual({
      status: 200,
      counted: [forAddress, forKey],
      lookedUp,
    });
    expect(await call({ mayLookUp: true, isLive: false })).toEqual({ status: 429, counted: [forAddress], lookedUp });
  });

  it('is refused without a look-up when many such calls came here', async () => {
    expect(await call({ mayLookUp: false, isLive: true })).toEqual({ status: 429, counted: [forAddress], lookedUp: 0 });
  });
});
