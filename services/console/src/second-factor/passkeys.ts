// Passkeys (WebAuthn): what a browser is asked for, and whether its answer is right. A passkey is bound to the host of
// PUBLIC_URL, so a page of another host cannot use it.
import { isIP } from 'node:net';
import { text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { isLoopback } from '../oidc/settings.ts';

/** Most people never use one, and the library needs five megabytes. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: all that authenticators have. Node warns of the newer ones, which it calls experimental. */
const supportedAlgorithmIDs = [-8, -7, -257];

const bytes = (max: number) =>
  text(max)
    .min(1)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url');
const credentialId = () => bytes(1_400).describe('`id` of the credential.');
const clientDataJSON = () => bytes(4_096);

/** The answer of a browser that has made a passkey, without fields that nobody needs. */
export const newPasskeyAnswer = z.object({
  id: credentialId(),
  clientDataJSON: clientDataJSON(),
  attestationObject: bytes(16_384),
  transports: z.array(text(50)).max(10).default([]),
});

/** The answer of a browser that has signed with a passkey. */
export const passkeyAnswer = z.object({
  id: credentialId(),
  clientDataJSON: clientDataJSON(),
  authenticatorData: bytes(4_096),
  signature: bytes(4_096),
  userHandle: bytes(100).nullish(),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** What the page gives to the browser. */
export const passkeyOptions = () =>
  z.looseObject({ challenge: z.string() }).describe('The options of WebAuthn (level 3) as JSON, for the browser.');

export interface StoredPasskey {
  id: string;
  userId: string;
  credential: Uint8Array;
  publicKey: Uint8Array;
  counter: bigint;
  transports: string[];
}

/** Browsers know passkeys on hosts with a name, over https, and on localhost. */
export const passkeysPossible = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl);
  return hostname === 'localhost' || (protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0);
};

export function createPasskeys(publicUrl: string) {
  const { hostname: rpID, origin: expectedOrigin } = new URL(publicUrl);
  const name = isLoopback(publicUrl) ? 'Landfall' : `Landfall ${rpID}`;
  const expected = (expectedChallenge: string) => ({ expectedChallenge, expectedOrigin, expectedRPID: rpID });
  const known = (passkeys: readonly StoredPasskey[]) =>
    passkeys.map(({ credential, transports }) => ({ id: toText(credential), transports }));

  return {
    /** The options for a new passkey of a person, who has these already. */
    async forNew({ id, email }: { id: string; email: string }, passkeys: readonly StoredPasskey[]) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: name,
        rpID,
        userName: email,
        userDisplayName: email,
        userID: handleOf(id),
        excludeCredentials: known(passkeys),
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
    },

    /** The options for a sign-in. Without passkeys, the person chooses among all that their device has for this host. */
    async forSignIn(passkeys: readonly StoredPasskey[] | null) {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID,
        // Alone, a passkey is two factors only if its device has checked who holds it.
        userVerification: passkeys === null ? 'required' : 'discouraged',
        ...(passkeys && { allowCredentials: known(passkeys) }),
      });
    },

    /** @throws ApiError PASSKEY_WRONG */
    async made({ id, transports, ...response }: z.output<typeof newPasskeyAnswer>, challenge: string) {
      const { verifyRegistrationResponse } = await library();
      const { registrationInfo } = await orWrong(
        verifyRegistrationResponse({
          response: { ...answerOf(id), response },
          ...expected(challenge),
          supportedAlgorithmIDs,
          requireUserVerification: false,
        }),
      );
      if (!registrationInfo) throw new ApiError('PASSKEY_WRONG');
      const { credential } = registrationInfo;
      return {
        credential: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: BigInt(credential.counter),
        transports,
      };
    },

    /**
     * Returns the new counter of the passkey.
     * @param alone true when no password came before
     * @throws ApiError PASSKEY_WRONG
     */
    async used(passkey: StoredPasskey, answer: PasskeyAnswer, challenge: string, alone: boolean): Promise<bigint> {
      const { verifyAuthenticationResponse } = await library();
      const { id, userHandle, ...response } = answer;
      const ofOther = userHandle != null && userHandle !== toText(handleOf(passkey.userId));
      const { verified, authenticationInfo } = await orWrong(
        verifyAuthenticationResponse({
          response: { ...answerOf(id), response },
          ...expected(challenge),
          credential: {
            id: toText(passkey.credential),
            publicKey: new Uint8Array(passkey.publicKey),
            counter: Number(passkey.counter),
          },
          requireUserVerification: alone,
        }),
      );
      if (!verified || ofOther) throw new ApiError('PASSKEY_WRONG');
      return BigInt(authenticationInfo.newCounter);
    },
  };
}

export type Passkeys = ReturnType<typeof createPasskeys>;

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The id of a person as bytes. An authenticator keeps it, and it says nothing about the person. */
const handleOf = (userId: string) => new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

const answerOf = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} });

/** The library throws a sentence for each kind of fault. All are the same to the caller. */
async function orWrong<T>(verifying: Promise<T>): Promise<T> {
  try {
    return await verifying;
  } catch {
    throw new ApiError('PASSKEY_WRONG');
  }
}
