// Revoked keys and tokens, ended sessions, removed members, archived links and archived apps: every gateway, or the
// console, stops accepting them within a second, even though each process has a cached copy.
import {
  describeScaledOut,
  freshIp,
  peopleOf,
  type Received,
  type Sent,
  type System,
  send,
  startSystem,
  type TestApp,
  type TestPerson,
} from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { casesOf, del, patch, post } from '../calls.ts';

/** An even number: an archived app comes back in each second round. */
const ROUNDS = casesOf(10, 4);
const WITHIN_MS = 1_000;
/** Milliseconds after which the test fails. A cached copy that no event removes lives for a minute. */
const SEEN_WITHIN_MS = 5_000;

const stack = inject('stack');
describeScaledOut('two gateways', () => {
  let system: System;
  let app: TestApp;
  beforeAll(async () => {
    system = await startSystem();
    app = await system.makeApp();
  });
  afterAll(() => system?.stop());

  /** Sends a request from a fresh address, so that it does not reach a rate limit. */
  const at = (port: number, sent: Sent): Promise<Received> =>
    send(port, { ...sent, headers: { host: 'api.test', 'x-forwarded-for': freshIp(), ...sent.headers } });

  /**
   * Sends a create with an empty body. A valid key gets an error for the body. Any other key gets an error for the key.
   */
  const useKey = (key: string) => (port: number) =>
    at(port, { method: 'POST', path: '/api/links/create-sdk', headers: { 'x-service-sdk-key': key }, body: {} });
  const resolve = (slug: string) => (port: number) =>
    at(port, { path: `/api/links/get-by-slug?slug=${slug}&appId=${app.app.id}` });
  const tap = (url: string) => (port: number) =>
    at(port, { path: new URL(url).pathname, headers: { host: new URL(url).host } });

  /**
   * Returns the milliseconds from the request for the change until the slowest process answers with `after`. Each
   * process answers with `before` first, so each one has a cached copy.
   */
  async function goneAfter(
    ask: (port: number) => Promise<Received>,
    before: number,
    after: number,
    change: Sent,
    by: (sent: Sent) => Promise<Received> = system.manage,
    ports: readonly number[] = stack.ports,
  ) {
    for (const port of ports) expect((await ask(port)).status).toBe(before);
    const began = performance.now();
    const changed = await by(change);
    expect(changed.status, changed.text).toBe(200);
    const times = ports.map(async (port) => {
      for (;;) {
        const { status } = await ask(port);
        const ms = performance.now() - began;
        if (status === after) return ms;
        expect(status).toBe(before);
        if (ms > SEEN_WITHIN_MS) throw new Error(`the process at ${port} still answers with ${before} after ${ms} ms`);
      }
    });
    return Math.max(...(await Promise.all(times)));
  }

  it('refuse a revoked key', async () => {
    const keys = `/api/manage/apps/${app.app.id}/keys`;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { plaintext, key } = (await system.manage(post(keys, {}))).json;
      times.push(await goneAfter(useKey(plaintext), 400, 401, del(`${keys}/${key.id}`)));
    }
    expectSoon('a revoked key is gone', times);
  });

  describe('of people', () => {
    let people: ReturnType<typeof peopleOf>;
    let owner: TestPerson & { teamId: string };
    beforeAll(async () => {
      people = peopleOf(system);
      owner = await people.setUp();
    });

    /** The console serves people. */
    const goneAtConsole = (
      ask: (port: number) => Promise<Received>,
      before: number,
      after: number,
      change: Sent,
      by?: (sent: Sent) => Promise<Received>,
    ) => goneAfter(ask, before, after, change, by, [stack.consolePort]);
    const see = (path: string, headers: Record<string, string>) => (port: number) =>
      at(port, { path: `/api/manage/${path}`, headers });

    it('refuse a revoked token', async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { id, token } = await people.makeToken(owner, owner.teamId, 'read');
        const ask = see('me', { authorization: `Bearer ${token}` });
        times.push(await goneAtConsole(ask, 200, 401, del(`/api/manage/me/tokens/${id}`), owner.send));
      }
      expectSoon('a revoked token is gone', times);
    });

    it('refuse a revoked owner token', async () => {
      const tokens = '/api/manage/owner-tokens';
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { plaintext, token } = (await system.manage(post(tokens, {}))).json;
        const ask = see('me', { authorization: `Bearer ${plaintext}` });
        times.push(await goneAtConsole(ask, 200, 401, del(`${tokens}/${token.id}`)));
      }
      expectSoon('a revoked owner token is gone', times);
    });

    it('refuse a revoked share', async () => {
      const shares = `/api/manage/apps/${app.app.id}/shares`;
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { url, share } = (await system.manage(post(shares, { name: 'x', view: {} }))).json;
        const authorization = `Share ${new URL(url).hash.slice(1)}`;
        const ask = (port: number) => at(port, { path: '/api/share', headers: { authorization } });
        times.push(await goneAtConsole(ask, 200, 404, del(`${shares}/${share.id}`)));
      }
      expectSoon('a revoked share is gone', times);
    });

    it('refuse a session that was ended', async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { cookie } = await people.signIn(owner);
        times.push(await goneAtConsole(see('me', { cookie }), 200, 401, del('/api/manage/me/sessions'), owner.send));
      }
      expectSoon('a session that was ended is gone', times);
    });

    it('know a member no more who was taken out', async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { id, cookie } = await people.join(owner, owner.teamId, 'admin');
        const ask = see(`teams/${owner.teamId}`, { cookie });
        times.push(
          await goneAtConsole(ask, 200, 404, del(`/api/manage/teams/${owner.teamId}/members/${id}`), owner.send),
        );
      }
      expectSoon('a member who was taken out is gone', times);
    });
  });

  it.each([
    ['its key is used', ({ key }: TestApp) => useKey(key), 400, 404],
    ['its link is tapped', (_: TestApp, { url }: { url: string }) => tap(url), 200, 410],
  ] as const)('serve nothing of an archived app, and all of it when it is back: %s', async (how, askOf, live, gone) => {
    const archived = await system.makeApp();
    const ask = askOf(archived, await system.makeLink(archived));
    const change = (archive: boolean): Sent => patch(`/api/manage/apps/${archived.app.id}`, { archived: archive });
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 2) {
      times.push(await goneAfter(ask, live, gone, change(true)), await goneAfter(ask, gone, live, change(false)));
    }
    expectSoon(`an archived app is gone, ${how}`, times);
  });

  it.each([
    ['resolved', ({ slug }: { slug: string }) => resolve(slug), 200, 404],
    ['tapped', ({ url }: { url: string }) => tap(url), 200, 410],
  ] as const)('give an archived link no more: %s', async (how, askOf, before, after) => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const link = await system.makeLink(app);
      const change = patch(`/api/manage/links/${link.id}`, { archived: true });
      times.push(await goneAfter(askOf(link), before, after, change));
    }
    expectSoon(`an archived link is gone, ${how}`, times);
  });
});

function expectSoon(what: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[times.length >> 1]!, times.at(-1)!].map(Math.round);
  console.info(`${what}: ${median} ms, ${slowest} ms at the most`);
  expect(slowest).toBeLessThan(WITHIN_MS);
}
