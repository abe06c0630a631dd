// Finds the app of an SDK key.
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { bearer } from '../access/principal.ts';
import { sha256 } from '../hashes.ts';
import { ApiError, type ErrorCode, statusOf } from '../http/errors.ts';
import type { KnownKey, Lookups } from '../lookups/lookups.ts';
import type { Auth } from './route.ts';

const SDK_KEY = /^ol_[0-9a-f]{32}$/;
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } };
/** Server keys that are remembered at the most. */
const MAX_SERVER_KEYS = 10_000;

export interface Authenticator {
  /** Throws 401 where a key is needed and there is none, or one of another kind. */
  authenticate(auth: Auth, headers: IncomingHttpHeaders): Promise<KnownKey | null>;
  /**
   * The id of the key, if it was a live server key when it was last met; asks nobody. What comes with one is limited by the
   * key; with anything else, a key that nobody has looked up included, by the address.
   */
  serverKeyId(headers: IncomingHttpHeaders): string | undefined;
  /** The same, once a look-up of the key that another request began has ended; null where none is under way. */
  serverKeyIdSoon(headers: IncomingHttpHeaders): Promise<string | undefined> | null;
  /** The same, looked up if nobody does so already; also undefined when that fails. */
  meetServerKey(headers: IncomingHttpHeaders): Promise<string | undefined>;
}

/**
 * Spec 5. The shape is looked at first, so that only what may be a key is hashed and asked for.
 * @param keyHeaders names of headers that carry a key, in order; `Authorization: Bearer` comes after them
 */
export function authenticator(
  lookups: Lookups,
  keyHeaders: readonly string[],
  used: (key: KnownKey) => void,
  now: () => Date,
): Authenticator {
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
    async authenticate(auth, headers) {
      if (auth === 'none') return null;
      // If a key is optional, a service that cannot check it must not stop the request.
      const key = await (auth === 'optional-key' ? keyOf(headers).catch(() => null) : keyOf(headers));
      const refused = key ? refusalOf(auth, key) : 'UNAUTHORIZED';
      if (!refused) {
        used(key!);
        return key;
      }
      if (auth === 'optional-key') return null;
      throw new ApiError(refused, undefined, statusOf[refused] === 401 ? CHALLENGE : {});
    },
    serverKeyId(headers) {
      const hash = serverKeys.size === 0 ? null : hashOf(headers);
      return hash === null ? undefined : serverKeys.get(hash);
    },
    serverKeyIdSoon(headers) {
      const hash = underWay.size === 0 ? null : hashOf(headers);
      const meeting = hash === null ? undefined : underWay.get(hash);
      return meeting ? idOnceMet(hash!, meeting) : null;
    },
    async meetServerKey(headers) {
      const hash = hashOf(headers);
      return hash === null ? undefined : idOnceMet(hash, meet(hash));
    },
  };
}

const isLive = ({ expiresAt }: KnownKey, now: Date): boolean => expiresAt === null || new Date(expiresAt) > now;

function refusalOf(auth: Auth, { kind, app }: KnownKey): ErrorCode | undefined {
  if (auth === 'key' && kind === 'server') return 'MOBILE_KEY_NEEDED';
  if (auth === 'server-key' && kind !== 'server') return 'SERVER_KEY_NEEDED';
  // The key is good, and will be again when the app is back.
  if (app.archivedAt !== null) return 'APP_NOT_FOUND';
  return undefined;
}
