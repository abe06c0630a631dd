import { Busy } from '@landfall/bus';
import { sha256 } from '@landfall/http';
import { expect, it } from 'vitest';
import type { Lookups } from '../lookups/lookups.ts';
import type { KnownSession } from '../sessions/session-repository.ts';
import type { KnownShare } from '../shares/share-repository.ts';
import type { KnownToken } from '../tokens/token-repository.ts';
import { createCookies } from './cookies.ts';
import { whoCalls } from './principal.ts';

const ID = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE';
const TOKEN = `lf_${'0'.repeat(32)}`;
const cookie = { cookie: `landfall=${ID}` };
const bearer = { authorization: `Bearer ${TOKEN}` };

const SECRET = `lfs_${'0'.repeat(32)}`;
const share = { id: 'x', expiresAt: '2026-11-15T12:00:10.000Z' } as KnownShare;

const session: KnownSession = {
  caller: {
    kind: 'session',
    sessionId: 's',
    userId: 'u',
    instanceOwner: false,
    roles: new Map([['t', 'member']]),
    closed: new Set(),
    isStrong: false,
    signedInAt: new Date(),
  },
  idleUntil: '2026-11-15T12:00:10.000Z',
  endsAt: '2026-11-15T12:00:20.000Z',
};
const token: KnownToken = {
  caller: { kind: 'token', tokenId: 'k', userId: 'u', teamId: 't', role: 'admin', scope: 'write' },
  expiresAt: '2026-11-15T12:00:10.000Z',
};

/**
 * Knows one session and one token.
 * @param anew the session that a look-up without the cache finds
 */
function at(
  time: string,
  {
    known = session,
    anew = known as KnownSession | null,
    tokenIs = token,
    demoTeam = undefined as string | undefined,
  } = {},
) {
  const used: string[] = [];
  const lookups = {
    session: async (hash: string) => (hash === sha256(ID) ? known : null),
    sessionAnew: async () => anew,
    token: async (hash: string) => (hash === sha256(TOKEN) ? tokenIs : null),
    share: async (hash: string) => (hash === sha256(SECRET) ? share : null),
  } as unknown as Lookups;
  const use = (id: string) => void used.push(id);
  const uses = { session: use, token: use, share: use };
  const cookies = createCookies('http://localhost:8080');
  const calls = whoCalls({ lookups, cookies, used: uses, now: () => new Date(time), demoTeam });
  return { calls, used };
}

it('is the person of a session, with their roles', async () => {
  const { calls, used } = at('2026-11-15T12:00:09.999Z');
  expect(await calls(cookie)).toMatchObject({
    kind: 'session',
    sessionId: 's',
    userId: 'u',
    instanceOwner: false,
    roles: new Map([['t', 'member']]),
  });
  expect(used).toEqual(['s']);
  expect(await calls({})).toBeNull();
  expect(await calls({ cookie: `landfall=${ID.toLowerCase()}` })).toBeNull();
});

it('is a visitor of the demo without a session and without a token, and not with wrong ones', async () => {
  const { calls } = at('2026-11-15T12:00:09.999Z', { demoTeam: 'd' });
  expect(await calls({})).toEqual({ kind: 'visitor', teamId: 'd' });
  expect(await calls(cookie)).toMatchObject({ kind: 'session' });
  expect(await calls({ authorization: 'Bearer lf_wrong' })).toBeNull();
  expect(await at('2026-11-15T12:00:20.000Z', { demoTeam: 'd' }).calls(cookie)).toBeNull();
});

it('checks the end of a cached session', async () => {
  const idle = '2026-11-15T12:00:10.000Z';
  const end = '2026-11-15T12:00:20.000Z';
  expect(await at(idle).calls(cookie)).toBeNull();
  expect(at(idle).used).toEqual([]);
  // Another gateway used it meanwhile.
  const longer = { ...session, idleUntil: '2026-11-15T12:00:19.000Z' };
  expect(await at(idle, { anew: longer }).calls(cookie)).toMatchObject({ kind: 'session' });
  expect(await at(idle, { anew: null }).calls(cookie)).toBeNull();
  expect(await at(end, { known: { ...session, idleUntil: '2026-11-15T12:00:30.000Z' } }).calls(cookie)).toBeNull();
});

it('is the person of a token, until it expires', async () => {
  const { calls, used } = at('2026-11-15T12:00:09.999Z');
  expect(await calls(bearer)).toEqual(token.caller);
  expect(used).toEqual(['k']);
  expect(await at('2026-11-15T12:00:10.000Z').calls(bearer)).toBeNull();
  const forever = { tokenIs: { ...token, expiresAt: null } };
  expect(await at('2036-01-01T00:00:00.000Z', forever).calls(bearer)).toMatchObject({ kind: 'token' });
  const operator = { kind: 'operator', tokenId: 'o' } as const;
  const operators = { tokenIs: { caller: operator, expiresAt: null } };
  expect(await at('2026-11-15T12:00:00.000Z', operators).calls(bearer)).toEqual(operator);
});

it('is nobody with a wrong bearer token, even with a valid cookie', async () => {
  const { calls } = at('2026-11-15T12:00:00.000Z');
  for (const authorization of [
    `Bearer ${TOKEN}0`,
    `Bearer ${TOKEN.toUpperCase()}`,
    'Bearer x',
    `Bearer lf_${'1'.repeat(32)}`,
  ])
    expect(await calls({ ...cookie, authorization }), authorization).toBeNull();
  // A proxy's own sign-in does not concern us.
  expect(await calls({ ...cookie, authorization: 'Basic eDp5' })).toMatchObject({ kind: 'session' });
});

it('rejects while no service answers', async () => {
  const lookups = { session: () => Promise.reject(new Busy('account')) } as unknown as Lookups;
  const cookies = createCookies('http://localhost:8080');
  const calls = whoCalls({ lookups, cookies, now: () => new Date(), demoTeam: undefined });
  await expect(calls(cookie)).rejects.toThrow(Busy);
});

it('is a guest with the secret of a share, and nobody else, until it expires', async () => {
  const { calls, used } = at('2026-11-15T12:00:09.999Z', { demoTeam: 'd' });
  expect(await calls({ ...cookie, authorization: `Share ${SECRET}` })).toEqual({ kind: 'guest', share, pass: null });
  expect(await calls({ authorization: `share  ${SECRET} v1.x ` })).toEqual({ kind: 'guest', share, pass: 'v1.x' });
  expect(used).toEqual(['x', 'x']);
  for (const wrong of [SECRET.slice(1), `${SECRET}0`, SECRET.toUpperCase(), `lfs_${'1'.repeat(32)}`])
    expect(await calls({ ...cookie, authorization: `Share ${wrong}` }), wrong).toBeNull();
  expect(await at('2026-11-15T12:00:10.000Z').calls({ authorization: `Share ${SECRET}` })).toBeNull();
});
