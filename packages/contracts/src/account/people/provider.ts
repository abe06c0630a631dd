// Signing in through a provider of OpenID Connect, which vouches for who somebody is.
import { z } from 'zod';
import { request } from '../../define.ts';
import { hash, text } from '../../fields.ts';
import { Identity } from './people.ts';
import { email } from './rights.ts';
import { newDeviceHash, sessionMade, signedIn } from './sessions.ts';

export const SignInByProvider = request({
  kind: 'command',
  name: 'SignInByProvider',
  description:
    'Makes a session for somebody whom a provider of OpenID Connect vouches for, and a person where they may be made.',
  topic: 'account.commands',
  input: z.object({
    issuer: Identity.shape.issuer,
    /** Keyed hash of issuer and subject. */
    subjectHash: hash(),
    /** Null: the provider names none, or has not verified it. */
    email: email().nullable(),
    /** What they are called, if they are not here yet. */
    name: text(200),
    /** Who has such an email needs no invitation. */
    ofOwnDomain: z.boolean(),
    session: sessionMade,
    /** Keyed hash of the address; null when it is not one person's. */
    address: hash().nullable(),
    /** SHA-256 of what this browser was given at an earlier sign-in. */
    deviceHash: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object(signedIn),
  refusals: {
    EMAIL_NOT_VERIFIED: z.object({}),
    /** Nobody here has the email, nor is invited by it. */
    NO_ACCOUNT: z.object({}),
    /** Who has the email is somebody else to this provider. */
    OTHER_IDENTITY: z.object({}),
    /** Who has the email has a password, and has never given it in this browser. */
    PASSWORD_FIRST: z.object({}),
    /** It has made another session. */
    SIGN_IN_USED: z.object({}),
  },
  key: (input) => input.subjectHash,
});
