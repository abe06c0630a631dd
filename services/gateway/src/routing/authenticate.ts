// Authenticates the SDK key of a request and finds its app.

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, bearer, type ErrorCode, errorTable, sha256 } from '@landfall/http';
import { LRUCache } from 'lru-cache';
import type { CallingKey, KnownKey, Lookups } from '../lookups/lookups.ts';
import type { Auth } from './route.ts';

const SDK_KEY = /^ol_[0-9a-f]{32}$/;
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } };
/** The maximum number of remembered server keys. */
const MAX_SERVER_KEYS = 10_000;

export type Authenticator = ReturnType<typeof authenticator>;

/**
 * Spec 5. Checks the format first, so that only a possible key is hashed and looked up.
 * @param keyHeaders names of headers that carry a key, in order; `Authorization: Bearer` comes last
 */
export function authenticator(
  lookups: Lookups,
  keyHeaders: readonly string[],
  used: (key: KnownKey) => void,
  now: () => Date,
) {
  const serverKeys = new LRUCache<string, string>({ max: MAX_SERVER_KEYS });
  const underWay = new Map<string, Promise<KnownKey | null>>();

  function hashOf(headers: IncomingHttpHeaders): string | null {
    const given = keyHeaders.map((name) => headers[name]).find((value) => typeof value === 'string') ?? bearer(headers);
    return typeof given === 'string' && SDK_KEY.test(given) ? sha256(given) : null;
  }

  async function keyOf(headers: IncomingHttpHeaders): Promise<KnownKey | null> {
    const hash = hashOf(headers);
    return hash === null ? null : meet(hash);
  }

  function meet(hash: string): Promise<KnownKey | null> {
    let meeting = underWay.get(hash);
    if (!meeting) {
      meeting = find(hash).finally(() => underWay.delete(hash));
      underWay.set(hash, meeting);
    }
    return meeting;
  }

  async function find(hash: string): Promise<KnownKey | null> {
    const known = await lookups.key(hash);
    const key = known && isLive(known, now()) ? known : null;
    if (key?.kind === 'server') serverKeys.set(hash, key.keyId);
    else serverKeys.delete(hash);
    return key;
  }

  const idOnceMet = (hash: string, meeting: Promise<unknown>): Promise<string | undefined> => {
    const met = () => serverKeys.get(hash);
    return meeting.then(met, met);
  };

  return {
    /** Returns the key. Throws 401 when a needed key is missing or of another kind. */
    async authenticate(auth: Auth, headers: IncomingHttpHeaders): Promise<CallingKey | null> {
      if (auth === 'none') return null;
      // When a key is optional, a failed look-up must not stop the request.
      const key = await (auth === 'optional-key' ? keyOf(headers).catch(() => null) : keyOf(headers));
      const refused = key ? refusalOf(auth, key) : 'UNAUTHORIZED';
      if (!refused) {
        used(key!);
        return key;
      }
      if (auth === 'optional-key') return null;
      throw new ApiError(refused, undefined, errorTable[refused][0] === 401 ? CHALLENGE : {});
    },
    /**
     * Returns the id of the key, if it was a valid server key at its last look-up. It sends no request. A request with
     * such a key is limited by the key. Any other request, also one with an unknown key, is limited by the address.
     */
    serverKeyId(headers: IncomingHttpHeaders): string | undefined {
      const hash = serverKeys.size === 0 ? null : hashOf(headers);
      return hash === null ? undefined : serverKeys.get(hash);
    },
    /** Returns the same after a look-up that another request has begun. Null when none is running. */
    serverKeyIdSoon(headers: IncomingHttpHeaders): Promise<string | undefined> | null {
      const hash = underWay.size === 0 ? null : hashOf(headers);
      const meeting = hash === null ? undefined : underWay.get(hash);
      return meeting ? idOnceMet(hash!, meeting) : null;
    },
    /** Returns the same after a look-up, which it starts if none is running. Undefined also when the look-up fails. */
    async meetServerKey(headers: IncomingHttpHeaders): Promise<string | undefined> {
      const hash = hashOf(headers);
      return hash === null ? undefined : idOnceMet(hash, meet(hash));
    },
  };
}

const isLive = ({ expiresAt }: KnownKey, now: Date): boolean => expiresAt === null || new Date(expiresAt) > now;

function refusalOf(auth: Auth, { kind, app }: KnownKey): ErrorCode | undefined {
  if (auth === 'key' && kind === 'server') return 'MOBILE_KEY_NEEDED';
  if (auth === 'server-key' && kind !== 'server') return 'SERVER_KEY_NEEDED';
  // The key is valid, and works again when the app is restored.
  if (app.archivedAt !== null) return 'APP_NOT_FOUND';
  return undefined;
}
