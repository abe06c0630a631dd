// Shared parts of the test suites: the API calls, and the checks of the error form.
import { createHmac, randomBytes } from 'node:crypto';
import { ANDROID, freshIp, type Received, type Sent, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, describe, expect, inject, it } from 'vitest';

/** The cases of a property: all of them where everything runs (`.ci/full`), a third or `some` on every change. */
export const casesOf = (all: number, some = Math.ceil(all / 3)): number => (process.env.FULL ? all : some);

export type From = { ip?: string; headers?: Record<string, string> };

/** Starts the product for the file that calls this at its top, and stops it after the last test. */
export async function systemOfFile(env: Record<string, string> = {}) {
  const system = await startSystem(env);
  afterAll(() => system.stop());
  return { system, calls: callsOf(system) };
}

/**
 * Returns `it` and `describe` for the tests of a suite with a line `// Over Kafka: …` that would show nothing more there.
 * They run in one process alone.
 */
export function inOneProcess(): { it: typeof it; describe: typeof describe } {
  if (inject('over') !== 'kafka') return { it, describe };
  const left = Object.assign(() => {}, { each: () => () => {} });
  return { it: left as unknown as typeof it, describe: left as unknown as typeof describe };
}

/** Returns functions for the calls of the SDK, as the phone or the server of an app makes them. */
export function callsOf(system: System) {
  const post =
    (path: string) =>
    (app: TestApp, body: unknown, from: From = {}) =>
      system.sdk(app, { ...from, method: 'POST', path, body });
  /** Calls the management API, and waits until every copy of the changed data is dropped. */
  async function change(sent: Sent) {
    const answer = await system.manage(sent);
    await system.settled();
    return answer;
  }
  return {
    create: post('/api/links/create-sdk'),
    restore: post('/api/deferred-deep-linking/restore'),
    heartbeat: post('/api/deferred-deep-linking/install-heartbeat'),
    store: post('/api/deferred-deep-linking/store'),
    register: post('/api/push/register'),
    unregister: post('/api/push/unregister'),
    opened: post('/api/push/opened'),
    /** Resolves a link without an SDK key. */
    resolve: (query: Record<string, string> | string, from: From = {}) =>
      system.send({ ...from, path: `/api/links/get-by-slug?${new URLSearchParams(query)}` }),
    /** Taps the link on a phone, and waits until the tap is recorded. */
    async tap(url: string, from: Parameters<System['tap']>[1] = {}) {
      const answer = await system.tap(url, { userAgent: ANDROID, ...from });
      await system.settled();
      return answer;
    },
    change,
    edit: (linkId: string, body: object) => change(patch(`/api/manage/links/${linkId}`, body)),
  };
}

export const patch = (path: string, body: unknown): Sent => ({ method: 'PATCH', path, body });
export const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body });
export const put = (path: string, body: unknown): Sent => ({ method: 'PUT', path, body });
export const del = (path: string): Sent => ({ method: 'DELETE', path });

/** Signs a JWT in the form that any JWT library produces. */
export function signJwt(secret: string, claims: object, { alg = 'HS256', hash = 'sha256' } = {}): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const said = `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}`;
  return `${said}.${createHmac(hash, secret).update(said).digest('base64url')}`;
}

/** Returns a new token in the form of a Firebase token. No two tokens are the same. */
export const fcmToken = () =>
  `${randomBytes(16).toString('base64url')}:APA91b${randomBytes(100).toString('base64url')}`;
/** The fake of Apple answers tokens with some beginnings in a special way, and none that begins like this. */
export const apnsToken = () => `a0${randomBytes(31).toString('hex')}`;

/** Returns a device that the product has not seen. */
export function newDevice() {
  const deviceFingerprint = crypto.randomUUID();
  return { ip: freshIp(), deviceFingerprint, body: { deviceFingerprint } };
}

export const linksOf = (restored: Received): string[] =>
  restored.json.restoredLinks.map((l: { linkId: string }) => l.linkId);

/** Checks the form of an error: the status and the code, a sentence, a request id, and no internal details. */
export function expectError(answer: Omit<Received, 'bytes'>, status: number, code: string): void {
  expect({ status: answer.status, code: answer.json?.code }).toEqual({ status, code });
  expectErrorForm(answer);
}

export function expectErrorForm({ headers, json, text }: Omit<Received, 'bytes'>): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(/^[\w.:-]{1,100}$/);
  expect(json).toMatchObject({ error: expect.stringMatching(/\w/), code: expect.stringMatching(/^[A-Z_]+$/) });
  for (const detail of json.details ?? []) {
    expect(detail).toEqual({ path: expect.stringMatching(/./s), message: expect.stringMatching(/\w/) });
  }
  // An error names the field of the caller, which may be `target.ts`. A file of ours has its line beside it.
  expect(text).not.toMatch(/\bat .{0,200}:\d+:\d+|node_modules|\.ts:\d|prisma|\bselect\b.*\bfrom\b/is);
}
