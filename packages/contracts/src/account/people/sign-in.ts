// Messages about set-up, sign-in and passwords. They need a password hash.
import { z } from 'zod';
import { request } from '../../define.ts';
import { hash, instant, sealed, text, uuid } from '../../fields.ts';
import { Team } from '../teams.ts';
import { Person } from './people.ts';
import { actor, email, Role } from './rights.ts';
import { newDeviceHash, sessionMade, signedIn } from './sessions.ts';

/**
 * Commands that need a password hash have their own topic. An attacker who guesses passwords therefore does not delay
 * other work.
 */
const signIns = 'sign-in.commands';

const PASSWORD_MAX = 1_024;
const PASSWORD_MIN = 10;
export const password = () => sealed('password');
/** Checks the length in characters after normalisation. A letter with an accent is one character. */
export const isLongEnough = (typed: string): boolean => [...typed.normalize('NFKC')].length >= PASSWORD_MIN;
/** The password as the person typed it. */
export const passwordText = () =>
  text(PASSWORD_MAX)
    .refine(isLongEnough, { error: `must have at least ${PASSWORD_MIN} characters` })
    .meta({ minLength: PASSWORD_MIN });

/** There were too many failures. The service did not check the credentials. */
const SIGN_IN_DELAYED = z.object({ seconds: z.int().min(1) });
/** Reasons to refuse a new password. */
const passwordRefusals = { PASSWORD_TOO_SHORT: z.object({}), PASSWORD_COMMON: z.object({}) };

export const FindSetUp = request({
  kind: 'query',
  name: 'FindSetUp',
  description: 'Checks whether the instance has no owner.',
  topic: 'account.queries',
  input: z.object({}),
  reply: z.object({ needed: z.boolean() }),
  refusals: {},
  key: (_, id) => id,
});

export const OfferSetUp = request({
  kind: 'command',
  name: 'OfferSetUp',
  description:
    'Makes a one-time code valid for the set-up of an instance without an owner. Earlier codes become invalid.',
  topic: 'account.commands',
  input: z.object({ codeHash: hash() }),
  reply: z.object({ needed: z.boolean() }),
  refusals: {},
  key: (input) => input.codeHash,
});

export const SetUp = request({
  kind: 'command',
  name: 'SetUp',
  description: 'Creates the first owner of the instance, their team and their session.',
  topic: signIns,
  input: z.object({
    codeHash: hash(),
    email: email(),
    password: password(),
    name: text(200),
    teamName: Team.shape.name,
    session: sessionMade,
    /** The keyed hash of the IP address. Null when several people share the address. */
    address: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object(signedIn),
  refusals: { SET_UP_DONE: z.object({}), CODE_UNKNOWN: z.object({}), ...passwordRefusals },
  key: () => 'set-up',
});

export const SignIn = request({
  kind: 'command',
  name: 'SignIn',
  description: 'Creates a session for a person with an email and its password.',
  topic: signIns,
  input: z.object({
    email: email(),
    /** The keyed hash of the email. The service counts failures for each hash, also for emails that no person has. */
    emailHash: hash(),
    password: password(),
    session: sessionMade,
    /** The keyed hash of the IP address. Null when several people share the address. */
    address: hash().nullable(),
    /** The SHA-256 of the value that this browser got at an earlier sign-in. */
    deviceHash: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object(signedIn),
  refusals: { WRONG_CREDENTIALS: z.object({}), SIGN_IN_DELAYED },
  key: (input) => input.emailHash,
});

export const JoinByInvitation = request({
  kind: 'command',
  name: 'JoinByInvitation',
  description: 'Creates the invited person, their membership in the team, and their session.',
  topic: signIns,
  input: z.object({
    codeHash: hash(),
    name: text(200),
    password: password(),
    session: sessionMade,
    /** The keyed hash of the IP address. Null when several people share the address. */
    address: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object({ ...signedIn, team: Team, role: Role }),
  refusals: {
    INVITATION_NOT_FOUND: z.object({}),
    /** The person exists. They must sign in and accept the invitation. */
    PERSON_EXISTS: z.object({}),
    ...passwordRefusals,
  },
  key: (input) => input.codeHash,
});

export const ChangePassword = request({
  kind: 'command',
  name: 'ChangePassword',
  description: 'Changes the password of a person, ends their sessions, and creates a new one.',
  topic: signIns,
  input: z.object({
    actor: actor(),
    userId: uuid(),
    current: password(),
    next: password(),
    session: sessionMade,
  }),
  reply: z.object(signedIn),
  refusals: {
    WRONG_CREDENTIALS: z.object({}),
    SIGN_IN_DELAYED,
    PERSON_NOT_FOUND: z.object({}),
    ...passwordRefusals,
  },
  key: (input) => input.userId,
});

export const ResetPassword = request({
  kind: 'command',
  name: 'ResetPassword',
  description:
    'Resets the password of a person for the operator. The person chooses a new one with a one-time code. Their sessions end, and their links to providers are removed.',
  topic: 'account.commands',
  /** The message holds only the hash of the code. */
  input: z.object({ actor: actor(), email: email(), codeHash: hash() }),
  reply: z.object({ person: Person, expiresAt: instant() }),
  refusals: { FORBIDDEN: z.object({}), PERSON_NOT_FOUND: z.object({}) },
  key: (input) => input.codeHash,
});

export const ChoosePassword = request({
  kind: 'command',
  name: 'ChoosePassword',
  description: 'Sets the password that a person chooses with a one-time code, and creates their session.',
  topic: signIns,
  input: z.object({
    codeHash: hash(),
    next: password(),
    session: sessionMade,
    /** The keyed hash of the IP address. Null when several people share the address. */
    address: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object(signedIn),
  refusals: { CODE_UNKNOWN: z.object({}), ...passwordRefusals },
  key: (input) => input.codeHash,
});
