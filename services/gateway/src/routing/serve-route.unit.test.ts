import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiError } from '../http/errors.ts';
import { gather } from '../http/response-headers.ts';
import { manageRoute, type Route, route } from './route.ts';
import { serveRoutes } from './serve-route.ts';

const nothing = { reply: z.object({}), errors: [], handle: async () => ({}) } as const;
const good = { method: 'GET', name: 'x', summary: 'X', ...nothing } as const;

it('does not start with a route of the management API that does not state its callers', () => {
  const start = (one: unknown) => () => serveRoutes(express(), [one as Route], {} as never);
  const path = '/api/manage/apps/:appId';
  const needs = { role: 'viewer', of: 'app' } as const;
  expect(start(manageRoute({ ...good, path, needs }))).not.toThrow();
  for (const unsaid of [{}, { needs: undefined }, { needs: [] }, { auth: 'none' }])
    expect(start({ ...good, path, ...unsaid })).toThrow(`GET ${path} does not state its callers: give it \`needs\`.`);
  // Another path that belongs to the management API.
  const send = { ...good, method: 'POST', path: '/api/push/send' } as const;
  expect(start(manageRoute({ ...send, needs }))).toThrow('must name as :appId');
  expect(start(manageRoute({ ...send, needs: { ...needs, in: 'body' } }))).not.toThrow();
  expect(start({ ...send, auth: 'key' })).toThrow('POST /api/push/send does not state its callers');
  expect(start({ ...good, path: '/api/links' })).toThrow('GET /api/links does not state its key');
  expect(start(manageRoute({ ...good, path: '/api/manage/apps/:id', needs }))).toThrow('must name as :appId');
});

it('does not compile with one', () => {
  const path = '/api/manage/apps';
  // @ts-expect-error: without needs
  manageRoute({ ...good, path });
  // @ts-expect-error: no route for apps
  route({ ...good, path, auth: 'none', limit: 'store' });
  // @ts-expect-error: no route for apps
  route({ ...good, path: '/api/push/send', auth: 'none', limit: 'store' });
  route({ ...good, path: '/api/links', auth: 'none', limit: 'store' });
  // @ts-expect-error: no role
  manageRoute({ ...good, path, needs: { role: 'boss', of: 'team' } });
});

describe('an unknown server key from an address that has reached its limit', () => {
  const path = '/api/links';
  const create = route({
    ...good,
    path,

    auth: 'any-key',
    limit: 'create-link',
    serverLimit: 'server-create',
  });

  /** Returns the result and the limit of one call, and the number of look-ups of its key. */
  async function call(given: { metMeanwhile?: boolean; mayLookUp?: boolean; isLive?: boolean }) {
    let met: string | undefined;
    let lookedUp = 0;
    const counted: string[] = [];
    const serving = {
      parts: {},
      addressOf: () => ({ key: 'address' }),
      unmet: { use: async () => ({ allowed: given.mayLookUp === true }) },
      limits: {
        async use(name: string, key: string) {
          counted.push(`${name} ${key}`);
          // Redis answers late: another request has looked up the key meanwhile.
          if (given.metMeanwhile) met = 'key';
          return { limit: 10, remaining: 0, resetSeconds: 60, allowed: name === 'server-create' };
        },
      },
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
    const app = express();
    app.use((_req: Request, res: Response, next: NextFunction) => {
      gather(res, {});
      next();
    });
    serveRoutes(app, [create], serving as never);
    app.use((error: ApiError, _: Request, res: Response, _next: NextFunction) => res.sendStatus(error.status));
    const server = app.listen(0);
    await once(server, 'listening');
    const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    server.close();
    return { status, counted, lookedUp };
  }

  const forAddress = 'create-link address';
  const forKey = 'server-create key';

  it('counts by the key when another call has looked it up meanwhile', async () => {
    expect(await call({ metMeanwhile: true })).toEqual({ status: 200, counted: [forAddress, forKey], lookedUp: 0 });
  });

  it('is looked up when other gateways, and not this one, used up the limit of the address', async () => {
    const lookedUp = 1;
    expect(await call({ mayLookUp: true, isLive: true })).toEqual({
      status: 200,
      counted: [forAddress, forKey],
      lookedUp,
    });
    expect(await call({ mayLookUp: true, isLive: false })).toEqual({ status: 429, counted: [forAddress], lookedUp });
  });

  it('is refused without a look-up when this gateway used up the limit', async () => {
    expect(await call({ mayLookUp: false, isLive: true })).toEqual({ status: 429, counted: [forAddress], lookedUp: 0 });
  });
});
