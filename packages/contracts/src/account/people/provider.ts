// Messages about sign-in through an OpenID Connect provider.
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
    'Creates a session for a person whose identity a provider has confirmed. Creates the person if that is allowed.',
  topic: 'account.commands',
  input: z.object({
    issuer: Identity.shape.issuer,
    /** The keyed hash of issuer and subject. */
    subjectHash: hash(),
    /** Null: the provider returns no email, or has not verified it. */
    email: email().nullable(),
    /** The name for a new person. */
    name: text(200),
    /** True when the domain of the email needs no invitation. */
    ofOwnDomain: z.boolean(),
    session: sessionMade,
    /** The keyed hash of the IP address. Null when several people share the address. */
    address: hash().nullable(),
    /** The SHA-256 of the value that this browser got at an earlier sign-in. */
    deviceHash: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object(signedIn),
  refusals: {
    EMAIL_NOT_VERIFIED: z.object({}),
    /** No person has the email, and no invitation is for it. */
    NO_ACCOUNT: z.object({}),
    /** The person with this email has another identity at this provider. */
    OTHER_IDENTITY: z.object({}),
    /** The person with this email has a password, and has never entered it in this browser. */
    PASSWORD_FIRST: z.object({}),
    /** This sign-in has already created a session. */
    SIGN_IN_USED: z.object({}),
  },
  key: (input) => input.subjectHash,
});
