// Setting an instance up, signing in, passwords: what costs a password hash.
import { z } from 'zod';
import { request } from '../../define.ts';
import { hash, instant, sealed, text, uuid } from '../../fields.ts';
import { Team } from '../teams.ts';
import { Person } from './people.ts';
import { actor, email, Role } from './rights.ts';
import { newDeviceHash, sessionMade, signedIn } from './sessions.ts';

/** Whoever guesses passwords keeps no one else's work waiting: what costs a password hash has a topic to itself. */
const signIns = 'sign-in.commands';

const PASSWORD_MAX = 1_024;
const PASSWORD_MIN = 10;
export const password = () => sealed('password');
/** However they are typed: a letter with an accent is one character. */
export const isLongEnough = (typed: string): boolean => [...typed.normalize('NFKC')].length >= PASSWORD_MIN;
/** As it is typed. */
export const passwordText = () =>
  text(PASSWORD_MAX)
    .refine(isLongEnough, { error: `must have at least ${PASSWORD_MIN} characters` })
    .meta({ minLength: PASSWORD_MIN });

/** Too many failures: nothing was looked at. */
const SIGN_IN_DELAYED = z.object({ seconds: z.int().min(1) });
/** A password that nobody may have. */
const passwordRefusals = { PASSWORD_TOO_SHORT: z.object({}), PASSWORD_COMMON: z.object({}) };

export const FindSetUp = request({
  kind: 'query',
  name: 'FindSetUp',
  description: 'Whether the instance has no owner.',
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
    'Makes a one-time code good for setting the instance up, as long as it has no owner; codes that were offered before end.',
  topic: 'account.commands',
  input: z.object({ codeHash: hash() }),
  reply: z.object({ needed: z.boolean() }),
  refusals: {},
  key: (input) => input.codeHash,
});

export const SetUp = request({
  kind: 'command',
  name: 'SetUp',
  description: 'Makes the first owner of the instance, their team and their session.',
  topic: signIns,
  input: z.object({
    codeHash: hash(),
    email: email(),
    password: password(),
    name: text(200),
    teamName: Team.shape.name,
    session: sessionMade,
    /** Keyed hash of the address; null when it is not one person's. */
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
  description: 'Makes a session for whoever knows the password of an email.',
  topic: signIns,
  input: z.object({
    email: email(),
    /** Keyed hash of the email: by this failures are counted, also those of emails that nobody has. */
    emailHash: hash(),
    password: password(),
    session: sessionMade,
    /** Keyed hash of the address; null when it is not one person's. */
    address: hash().nullable(),
    /** SHA-256 of what this browser was given at an earlier sign-in. */
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
  description: 'Makes the person that an invitation is for, a member of its team, and their session.',
  topic: signIns,
  input: z.object({
    codeHash: hash(),
    name: text(200),
    password: password(),
    session: sessionMade,
    /** Keyed hash of the address; null when it is not one person's. */
    address: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object({ ...signedIn, team: Team, role: Role }),
  refusals: {
    INVITATION_NOT_FOUND: z.object({}),
    /** They sign in and accept it. */
    PERSON_EXISTS: z.object({}),
    ...passwordRefusals,
  },
  key: (input) => input.codeHash,
});

export const ChangePassword = request({
  kind: 'command',
  name: 'ChangePassword',
  description: 'Gives a person another password, ends their sessions, and makes one.',
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
    'Takes the password from a person, for the operator, who choose another by a one-time code: their sessions end, and providers that vouched for them are forgotten.',
  topic: 'account.commands',
  /** Of the code only the hash travels. */
  input: z.object({ actor: actor(), email: email(), codeHash: hash() }),
  reply: z.object({ person: Person, expiresAt: instant() }),
  refusals: { FORBIDDEN: z.object({}), PERSON_NOT_FOUND: z.object({}) },
  key: (input) => input.codeHash,
});

export const ChoosePassword = request({
  kind: 'command',
  name: 'ChoosePassword',
  description: 'Gives a person the password that they choose by a one-time code, and makes their session.',
  topic: signIns,
  input: z.object({
    codeHash: hash(),
    next: password(),
    session: sessionMade,
    /** Keyed hash of the address; null when it is not one person's. */
    address: hash().nullable(),
    newDeviceHash: newDeviceHash(),
  }),
  reply: z.object(signedIn),
  refusals: { CODE_UNKNOWN: z.object({}), ...passwordRefusals },
  key: (input) => input.codeHash,
});
