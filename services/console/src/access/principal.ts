// Finds out the caller of the management API.
import type { IncomingHttpHeaders } from 'node:http';
import type { Bus } from '@landfall/bus';
import { type Actor, SessionUsed, TokenUsed } from '@landfall/contracts';
import { bearer, sha256, shareGiven } from '@landfall/http';
import type { Logger } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import type { AccountRepository } from '../account-repository.ts';
import type { Lookups } from '../lookups/lookups.ts';
import type { Caller, Guest, Visitor } from './caller.ts';
import type { Cookies } from './cookies.ts';

const TOKEN = /^lf_[0-9a-f]{32}$/;
const SHARE = /^lfs_[0-9a-f]{32}$/;

export type WhoCalls = (headers: IncomingHttpHeaders) => Promise<Caller | Guest | null>;

interface WhoCallsParts {
  lookups: Lookups;
  cookies: Cookies;
  /** Called for each use of a session, a token or a share. */
  used?: Record<'session' | 'token' | 'share', (id: string) => void>;
  now: () => Date;
  demoTeam: string | undefined;
}

/**
 * A bearer token takes precedence. A wrong one is refused even when the cookie is valid. Nobody becomes a visitor by a
 * session that has ended: the person must know about the end. Whoever sends the secret of a share is its guest and nobody
 * else, also in a browser with a session.
 */
export function whoCalls({ lookups, cookies, used, now, demoTeam }: WhoCallsParts): WhoCalls {
  const visitor: Visitor | null = demoTeam === undefined ? null : { kind: 'visitor', teamId: demoTeam };
  const isOver = (at: string | null) => at !== null && now().getTime() >= Date.parse(at);

  async function byToken(token: string): Promise<Caller | null> {
    const known = TOKEN.test(token) ? await lookups.token(sha256(token)) : null;
    if (!known || isOver(known.expiresAt)) return null;
    used?.token(known.caller.tokenId);
    return known.caller;
  }

  async function bySession(id: string): Promise<Caller | null> {
    const hash = sha256(id);
    let known = await lookups.session(hash);
    // It may have been used at another gateway since the look-up. That extends it, so look it up again.
    if (known && isOver(known.idleUntil) && !isOver(known.endsAt)) known = await lookups.sessionAnew(hash);
    if (!known || isOver(known.idleUntil) || isOver(known.endsAt)) return null;
    used?.session(known.caller.sessionId);
    return known.caller;
  }

  async function byShare({ secret, pass }: NonNullable<ReturnType<typeof shareGiven>>): Promise<Guest | null> {
    const share = SHARE.test(secret) ? await lookups.share(sha256(secret)) : null;
    if (!share || isOver(share.expiresAt)) return null;
    used?.share(share.id);
    return { kind: 'guest', share, pass };
  }

  return async (headers) => {
    const share = shareGiven(headers);
    if (share) return byShare(share);
    const token = bearer(headers);
    if (token !== undefined) return byToken(token);
    const id = cookies.session(headers);
    return id === null ? visitor : bySession(id);
  };
}

/** To a route that is not for them, guests are nobody. */
export const withoutGuest = (caller: Caller | Guest | null): Caller | null =>
  caller?.kind === 'guest' ? null : caller;

/** @param address keyed hash; null when many strangers share it */
export function actorOf(caller: Caller, address: string | null): Actor {
  if (caller.kind === 'visitor') throw new Error('a visitor changes nothing');
  if (caller.kind === 'operator') return { kind: 'operator', userId: null, tokenId: null, address };
  if (caller.kind === 'token') return { kind: 'token', userId: caller.userId, tokenId: caller.tokenId, address };
  return { kind: 'person', userId: caller.userId, tokenId: null, address };
}

const MINUTE_MS = 60_000;

/** Notes the last use of tokens, sessions and shares. Rarely, and it never delays a request. */
export const callerUses = (bus: Bus, { shares }: Pick<AccountRepository, 'shares'>, log: Logger, now: () => Date) => ({
  share: rarely(MINUTE_MS, log, now, (id) => shares.noteUsed([{ id, at: now() }])),
  token: rarely(MINUTE_MS, log, now, (tokenId) => bus.tell(TokenUsed, { tokenId })),
  session: rarely(5 * MINUTE_MS, log, now, (sessionId) => bus.tell(SessionUsed, { sessionId })),
});

function rarely(everyMs: number, log: Logger, now: () => Date, tell: (id: string) => Promise<void>) {
  const toldAt = new LRUCache<string, number>({ max: 10_000 });
  return (id: string): void => {
    const at = now().getTime();
    if (at - (toldAt.get(id) ?? -Infinity) < everyMs) return;
    toldAt.set(id, at);
    tell(id).catch((error: unknown) =>
      log.debug({ err: error, id }, 'a use of a session, token or share was not recorded'),
    );
  };
}
