// Who calls: the app of an SDK key, or the holder of a management token.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './errors.ts';
import { sha256 } from './hashes.ts';
import type { KnownKey, Lookups } from './lookups/lookups.ts';
import type { Auth } from './route.ts';

const SDK_KEY = /^ol_[0-9a-f]{32}$/;
const TOKEN = /^lf_[0-9a-f]{32}$/;

export type Authenticate = (auth: Auth, headers: IncomingHttpHeaders) => Promise<KnownKey | null>;

/**
 * Spec 5. The shape is looked at first, so that only what may be a key is hashed and asked for.
 * @param keyHeaders names of headers that carry a key, in order; `Authorization: Bearer` comes after them
 */
export function authenticator(
  lookups: Lookups,
  keyHeaders: readonly string[],
  used: (key: KnownKey) => void,
): Authenticate {
  async function keyOf(headers: IncomingHttpHeaders): Promise<KnownKey | null> {
    const given = keyHeaders.map((name) => headers[name]).find((value) => typeof value === 'string') ?? bearer(headers);
    if (typeof given !== 'string' || !SDK_KEY.test(given)) return null;
    const key = await lookups.key(sha256(given));
    if (key) used(key);
    return key;
  }

  return async (auth, headers) => {
    if (auth === 'none') return null;
    if (auth === 'owner') {
      const token = bearer(headers);
      if (token && TOKEN.test(token) && (await lookups.token(sha256(token)))) return null;
      throw new ApiError('UNAUTHORIZED', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    // Where a key is only noticed, a service that cannot say whose it is must not stand in the way.
    if (auth === 'optional-key') return keyOf(headers).catch(() => null);
    const key = await keyOf(headers);
    if (!key) throw new ApiError('UNAUTHORIZED', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });
    return key;
  };
}

const bearer = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];
