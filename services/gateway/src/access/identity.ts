// Finds out the user of an app. The app names the user, or its backend signs a token for the user.

import { createSecretKey, type KeyObject } from 'node:crypto';
import { text } from '@landfall/contracts';
import { ApiError, type Hashes } from '@landfall/http';
import type { Sealer } from '@landfall/runtime';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from '../lookups/lookups.ts';

/** Any non-blank string, because apps also use user ids. */
export const userEmail = () =>
  text(320).regex(/\S/, 'must not be blank').describe('The email, or any other id, of a user.');

/** The fields of a body that name its user. */
interface Claimed {
  userEmail?: string | undefined;
  identityToken?: string | undefined;
}

export type Identities = ReturnType<typeof createIdentities>;

/** The tolerance for clocks that differ, in seconds. */
const TOLERANCE_SECONDS = 30;
/** The longest lifetime of a token, in seconds. It limits the use of a stolen token. */
const LONGEST_SECONDS = 86_400;
const MAX_SECRETS = 1_000;
const user = userEmail();

export function createIdentities(sealer: Sealer, hashes: Hashes, now: () => Date) {
  /** The characters of the secret are the bytes of the key, as libraries do with a string. */
  const keys = new LRUCache<string, KeyObject>({
    max: MAX_SECRETS,
    memoMethod: (sealed) => createSecretKey(sealer.open('identity secret', sealed), 'utf8'),
  });

  async function verified(token: string, secrets: KnownKey['identitySecrets']): Promise<string> {
    const live = secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now());
    for (const { secret } of live) {
      const payload = await payloadOf(token, keys.memo(secret));
      if (payload) return subjectOf(payload);
    }
    throw invalid('is not signed with a secret of this app');
  }

  /** Null when the token is signed with another secret. */
  async function payloadOf(token: string, key: KeyObject): Promise<JWTPayload | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'exp'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: now(),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) return null;
      if (error instanceof errors.JWTExpired) throw invalid('has expired');
      if (error instanceof errors.JWTClaimValidationFailed) throw invalid(`has no valid "${error.claim}"`);
      if (error instanceof errors.JOSEError) throw invalid('must be a JWT that is signed with HS256');
      throw error;
    }
  }

  function subjectOf({ sub, exp = 0 }: JWTPayload): string {
    if (exp > now().getTime() / 1000 + LONGEST_SECONDS + TOLERANCE_SECONDS)
      throw invalid('must expire within 24 hours');
    const subject = user.safeParse(sub);
    if (!subject.success) throw invalid('has no valid "sub"');
    return subject.data;
  }

  return {
    /**
     * Returns the user of a body. Undefined when the body names none, or when the app's setting ignores it. Throws 401
     * IDENTITY_TOKEN_INVALID for an invalid token, unless the app's setting is `off`.
     */
    async userOf(
      { userEmail: said, identityToken }: Claimed,
      { app, identitySecrets }: Pick<KnownKey, 'app' | 'identitySecrets'>,
    ): Promise<string | undefined> {
      if (app.identity === 'off') return said;
      if (identityToken === undefined) return app.identity === 'required' ? undefined : said;
      const sub = await verified(identityToken, identitySecrets);
      if (said !== undefined && hashes.email(said) !== hashes.email(sub))
        throw new ApiError('IDENTITY_TOKEN_INVALID', [{ path: 'userEmail', message: 'is not the user of the token' }]);
      return sub;
    },
  };
}

const invalid = (message: string) => new ApiError('IDENTITY_TOKEN_INVALID', [{ path: 'identityToken', message }]);
