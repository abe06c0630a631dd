// Puts a light load on all services at once over connections that stay open, and remembers the answers. The tests of
// ending processes use it.
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@landfall/db';
import { ANDROID, freshIp } from '@landfall/testkit';
import { expect } from 'vitest';

/**
 * Milliseconds that a person waits after each round, and after each 503. Without these waits the load takes the
 * processors from the processes that it tests, most of all while one of them starts again.
 */
export const THINKING_MS = 100;

export interface LoadRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

export interface Answered {
  what: string;
  status: number;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  json: any;
  /** The duration in milliseconds. */
  ms: number;
}

export interface Shop {
  appId: string;
  key: string;
  /** Another app that the load edits, because an edit empties all caches of its app. */
  editedId: string;
}

/** Describes an answer that is a failure: the request, the status, the code, the duration and the sender's sentence. */
export const failureOf = ({ what, status, json, ms }: Answered): string =>
  `${what} ${status} ${json?.code} after ${ms} ms: ${json?.error}`;

/**
 * Sends a request. While it gets 503, sends it again unchanged, if `again` says so. Returns the last answer.
 * @param away called with each 503 that is not the last answer
 */
export async function persist(
  ask: () => Promise<Answered>,
  again: boolean,
  away: (answer: Answered) => void,
): Promise<Answered> {
  for (;;) {
    const answer = await ask();
    if (!again || answer.status !== 503) return answer;
    away(answer);
    await pause(THINKING_MS);
  }
}

/** The targets of requests: gateways and consoles, or a proxy in front of both. */
export interface Doors {
  ports: readonly number[];
  /** The ports of the consoles. Left out where `ports` lead to everything. */
  consolePorts?: readonly number[];
  ownerToken: string;
  /**
   * True when a connection that breaks without an answer counts as NO_ANSWER. The caller may then repeat the request
   * unchanged.
   */
  breaks?: boolean;
}

/**
 * Sends requests as a balancer does: keeps connections open, and uses another process when a process accepts no
 * connection.
 */
export function balancer(stack: Doors) {
  const targets = (ports: readonly number[]) => ports.map((port) => [port, new Agent({ keepAlive: true })] as const);
  const gateways = targets(stack.ports);
  const consoles = targets(stack.consolePorts ?? []);
  let turn = 0;

  async function send(what: string, asked: LoadRequest): Promise<Answered> {
    const first = turn++;
    const doors = OF_CONSOLE.test(asked.path) && consoles.length > 0 ? consoles : gateways;
    for (let i = first; ; i++) {
      const [port, agent] = doors[i % doors.length]!;
      try {
        return await once(port, agent, what, asked);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (stack.breaks && code === 'ECONNRESET')
          return { what, status: 503, headers: {}, json: { code: 'NO_ANSWER' }, ms: 0 };
        // The process does not listen any more, so it has not accepted the request.
        const refused = code === 'ECONNREFUSED';
        if (!refused || i + 1 === first + doors.length) throw error;
      }
    }
  }

  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const sdk = (key: string, ip: string, idempotency: string = randomUUID()) => ({
    ...from(ip),
    'x-service-sdk-key': key,
    'idempotency-key': idempotency,
  });
  const owner = { authorization: `Bearer ${stack.ownerToken}` };
  return {
    manage: (path: string, body?: object, method = body ? 'POST' : 'GET') =>
      send('manage', { method, path: `/api/manage${path}`, headers: owner, body }),
    push: (body: object) => send('push', { method: 'POST', path: '/api/push/send', headers: owner, body }),
    create: ({ key }: Shop, destination: string, ip = freshIp(), idempotency?: string) => {
      const headers = sdk(key, ip, idempotency);
      return send('create', { method: 'POST', path: '/api/links/create-sdk', headers, body: { destination } });
    },
    resolve: ({ appId }: Shop, slug: string) =>
      send('get-by-slug', { path: `/api/links/get-by-slug?appId=${appId}&slug=${slug}`, headers: from(freshIp()) }),
    tap(url: string, ip = freshIp(), userAgent = ANDROID) {
      const { host, pathname } = new URL(url);
      return send('tap', { path: pathname, headers: { ...from(ip), host, 'user-agent': userAgent } });
    },
    heartbeat: ({ key }: Shop, deviceFingerprint: string, ip = freshIp()) => {
      const path = '/api/deferred-deep-linking/install-heartbeat';
      return send('heartbeat', { method: 'POST', path, headers: sdk(key, ip), body: { deviceFingerprint } });
    },
    restore: ({ key }: Shop, deviceFingerprint: string, ip = freshIp()) => {
      const path = '/api/deferred-deep-linking/restore';
      return send('restore', { method: 'POST', path, headers: sdk(key, ip), body: { deviceFingerprint } });
    },
    close() {
      for (const [, agent] of [...gateways, ...consoles]) agent.destroy();
    },
  };
}
const OF_CONSOLE = /^\/api\/(?:manage|push\/send)(?:\/|$)/;
export type Balancer = ReturnType<typeof balancer>;

function once(port: number, agent: Agent, what: string, { method = 'GET', path, headers, body }: LoadRequest) {
  const started = performance.now();
  const json = { ...(body && { 'content-type': 'application/json' }) };
  return new Promise<Answered>((resolve, reject) => {
    const req = request({ port, agent, method, path, headers: { ...json, ...headers } }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      res.once('error', reject);
      res.once('end', () => {
        const isJson = res.headers['content-type']?.startsWith('application/json') && text !== '';
        const ms = Math.round(performance.now() - started);
        const { statusCode: status = 0, headers: received } = res;
        resolve({ what, status, headers: received, json: isJson ? JSON.parse(text) : undefined, ms });
      });
    });
    req.once('error', (error) => {
      Object.assign(error, { what, port, reused: req.reusedSocket });
      reject(error);
    });
    req.end(body && JSON.stringify(body));
  });
}

/** Makes an app with a key, and another app for edits. */
export async function makeShop({ manage }: Balancer, subdomain: string): Promise<Shop> {
  const made = await manage('/apps', { name: 'Shop', subdomain, android: { package: 'com.shop' } });
  const edited = await manage('/apps', { name: 'Edited', subdomain: `${subdomain}-edited` });
  const appId: string = made.json.app.id;
  const key = await manage(`/apps/${appId}/keys`, { label: 'load' });
  return { appId, key: key.json.plaintext, editedId: edited.json.app.id };
}

export interface Load {
  /** Resolves when `count` more rounds are done. */
  rounds(count: number): Promise<void>;
  /** The failed requests so far: each with its status and code, or with the reason why the connection broke. */
  readonly failures: readonly string[];
  /** Starts no more rounds and waits for the rounds under way. Resolves with the results. */
  stop(): Promise<LoadResult>;
}

export interface LoadResult {
  /** Ids of the created links. */
  links: string[];
  /** Ids of the links whose tap was answered. */
  tapped: string[];
  /**
   * Ids of the links whose first tap was answered. A person who gets no answer taps again, and both taps may be stored.
   */
  tappedOnce: string[];
  devices: string[];
  rounds: number;
}

/**
 * Simulates four people at a time. Each person makes a link, resolves it, taps it, installs the app, and edits an app
 * over the management API.
 * @param again whether a request that gets 503 is repeated unchanged until it gets another status
 */
export function startLoad({ manage, create, resolve, tap, heartbeat }: Balancer, shop: Shop, again = false): Load {
  const done: LoadResult = { links: [], tapped: [], tappedOnce: [], devices: [], rounds: 0 };
  const failures: string[] = [];
  const waiting: { until: number; resolve(): void }[] = [];
  let stopping = false;
  let broken: Error | undefined;

  async function insist(ask: () => Promise<Answered>): Promise<Answered> {
    const failed = (answer: Answered) => failures.push(failureOf(answer));
    const answer = await persist(ask, again, failed);
    if (answer.status === 200 || answer.status === 302) return answer;
    failed(answer);
    throw new Error(failures.at(-1));
  }

  async function round(): Promise<void> {
    const idempotency = randomUUID();
    const { link } = (await insist(() => create(shop, '/invite?code=42', undefined, idempotency))).json;
    done.links.push(link.id);
    const { json } = await insist(() => resolve(shop, link.slug));
    expect(json.link).toMatchObject({ slug: link.slug });
    let taps = 0;
    await insist(() => {
      taps++;
      return tap(link.url);
    });
    done.tapped.push(link.id);
    if (taps === 1) done.tappedOnce.push(link.id);
    const device = randomUUID();
    await insist(() => heartbeat(shop, device));
    done.devices.push(device);
    await insist(() => manage(`/apps/${shop.editedId}`, { name: `Edited ${done.rounds}` }, 'PATCH'));
    done.rounds++;
    for (const one of waiting) if (one.until <= done.rounds) one.resolve();
  }

  async function person(): Promise<void> {
    try {
      while (!stopping) {
        await round();
        await pause(THINKING_MS);
      }
    } catch (error) {
      const { code, what, port, reused } = error as Error & Record<string, unknown>;
      if (code) failures.push(`${what} at ${port}: ${code}${reused ? ' on a kept connection' : ''}`);
      broken ??= error as Error;
      for (const one of waiting) one.resolve();
    }
  }

  const people = Promise.all([person(), person(), person(), person()]);
  return {
    failures,
    async rounds(count) {
      const until = done.rounds + count;
      if (broken) return;
      await new Promise<void>((resolve) => waiting.push({ until, resolve }));
    },
    async stop() {
      stopping = true;
      await people;
      return done;
    },
  };
}

/** Checks that every answered request was stored, and stored only once. */
export async function assertKept(database: Database, { appId }: Shop, done: LoadResult): Promise<void> {
  const ids = async (text: string) => (await database.rows<{ id: string }>(text, [appId])).map(({ id }) => id);
  const missing = (some: string[], all: string[]) => {
    const there = new Set(all);
    return some.filter((one) => !there.has(one));
  };
  const links = await ids('select id from link.links where app_id = $1');
  expect(missing(done.links, links)).toEqual([]);
  expect(await database.rows('select used from link.usage where app_id = $1', [appId])).toEqual([
    { used: links.length },
  ]);
  const soon = { timeout: 15_000, interval: 100 };
  const tapped = () => ids('select link_id as id from attribution.pending_links where app_id = $1');
  await expect.poll(async () => missing(done.tapped, await tapped()), soon).toEqual([]);
  const all = await tapped();
  expect(all.filter((id, i) => done.tappedOnce.includes(id) && all.indexOf(id) !== i)).toEqual([]);
  const [devices] = await database.rows<{ count: number }>(
    'select count(*)::int as count from attribution.devices where app_id = $1 and first_heartbeat_id is not null',
    [appId],
  );
  expect(devices!.count).toBeGreaterThanOrEqual(done.devices.length);
}
