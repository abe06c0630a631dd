// The second step of a sign-in: after the right password, a person with a second factor shows that they have it.
import { hash } from 'node:crypto';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import type { Changing } from '../changes/change.ts';
import type { ConsoleParts } from '../parts.ts';
import { Person } from '../people/person-repository.ts';
import { checkGuess } from '../sessions/guesses.ts';
import { beginSession, type NewSession, personsChanged } from '../sessions/session-of-browser.ts';
import { type Session, sessionView } from '../sessions/session-repository.ts';
import { CODES, placeOf } from '../sessions/sign-in-delays.ts';
import { type PasskeyAnswer, passkeyOptions } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { type Factors, hasFactor } from './second-factor-repository.ts';
import { type StepOf, sealStep, stepText } from './steps.ts';
import { totpStep } from './totp.ts';

export const secondStepView = z.object({
  step: stepText(),
  authenticatorApp: z.boolean().describe('True when a code of an authenticator app is accepted.'),
  passkey: passkeyOptions().nullable().describe('For the browser, to use a passkey. Null: the person has none.'),
});
type SecondStep = z.output<typeof secondStepView>;

/** The fields of a reply to the right password. Either a session begins, or a second step is needed. */
export const enteredReply = {
  person: Person.nullable().describe('Null when a second step is needed: then no session has begun.'),
  session: sessionView.nullable().describe('Null when a second step is needed.'),
  secondStep: secondStepView.nullable().describe('What is needed besides the password. Null: nothing.'),
};

/** The reply when no session has begun. */
export const secondStepNeeded = (secondStep: SecondStep) => ({ person: null, session: null, secondStep });

/** Returns what a person must show besides the right password. Null: nothing, they have no second factor. */
export async function secondStepOf(
  userId: string,
  passwordHash: string,
  { account, passkeys, sealer, now }: ConsoleParts,
): Promise<SecondStep | null> {
  const factors = await account.secondFactors.find(userId);
  if (!factors || !hasFactor(factors)) return null;
  const options = await passkeys.forSignIn(factors.passkeys);
  const { challenge } = options;
  return {
    step: sealStep(sealer, { of: 'second step', userId, password: sha256(passwordHash), challenge }, now()),
    authenticatorApp: factors.authenticatorApp !== null,
    passkey: factors.passkeys.length > 0 ? { ...options } : null,
  };
}

/** Exactly one of them. */
export type Shown = { code: string } | { passkey: PasskeyAnswer };

/** What was right, and how it is marked as used in the transaction of the sign-in. */
interface Right {
  by: 'authenticator app' | 'recovery code' | 'passkey';
  use(at: Changing): Promise<boolean>;
}

/** @throws ApiError SECOND_FACTOR_WRONG, SIGN_IN_DELAYED, PASSKEY_WRONG, SIGN_IN_USED, or STEP_OVER when the password has changed */
export async function enterBySecondStep(
  step: StepOf<'second step'>,
  shown: Shown,
  { deviceHash, ...browser }: NewSession & { deviceHash: string | null },
  parts: ConsoleParts,
): Promise<{ session: Session; person: Person }> {
  const { account, hashes } = parts;
  const { userId } = step;
  const { address } = browser;
  const now = parts.now();
  const places = await account.signIns.knownPlaces(userId, [deviceHash, address], now);
  const place = placeOf({ deviceHash, address }, places);
  // Counted apart from passwords: whoever does not know the password cannot delay this step.
  const of = { emailHash: hash('sha256', `second factor of ${userId}`, 'base64url'), place };
  const factors = await account.secondFactors.find(userId);
  if (!factors || !hasFactor(factors)) throw new ApiError('STEP_OVER');
  const right =
    'code' in shown
      ? await checkCode(shown.code, { userId, factors, of, now }, parts)
      : await checkPasskey(shown.passkey, { factors, challenge: step.challenge }, parts);
  const actor = { kind: 'person', userId, tokenId: null, address } as const;
  return parts.change({ command: 'SignIn', actor, now }, async (at) => {
    const { tx } = at;
    const known = await account.people.lock(tx, userId);
    if (!known || sha256(known.passwordHash ?? '') !== step.password) throw new ApiError('STEP_OVER');
    // The session has the id of the step, so a step makes only one session.
    if ((await tx.session.count({ where: { id: step.id } })) > 0) throw new ApiError('SIGN_IN_USED');
    if (!(await right.use(at))) throw new ApiError('SECOND_FACTOR_WRONG');
    const { person } = known;
    const { session, left } = await beginSession(at, browser, userId, step.id);
    await account.signIns.forget(tx, of);
    await account.signIns.forget(tx, { emailHash: hashes.email(person.email), place });
    const after = { secondFactor: right.by };
    return { subject: session.id, after, done: { session, person }, events: personsChanged(left) };
  });
}

interface Guessing {
  userId: string;
  factors: Factors;
  of: { emailHash: string; place: string | null };
  now: Date;
}

/** Six digits are a code of the app, anything else a recovery code. */
async function checkCode(typed: string, { userId, factors, of, now }: Guessing, parts: ConsoleParts): Promise<Right> {
  const { secondFactors } = parts.account;
  const ofApp = typed.replace(/\s/g, '');
  const guess = { of, wrong: 'SECOND_FACTOR_WRONG', now, pace: CODES } as const;
  if (/^\d{6}$/.test(ofApp)) {
    const { authenticatorApp: app } = factors;
    const step = app && totpStep(parts.sealer.open('second factor', app.secret), ofApp, now);
    const isRight = async () => app !== null && step !== null && step > app.lastStep;
    await checkGuess({ ...guess, isRight }, parts);
    return { by: 'authenticator app', use: ({ tx }) => secondFactors.useTotp(tx, userId, step!, now) };
  }
  const code = recoveryCodeHash(typed);
  await checkGuess({ ...guess, isRight: () => secondFactors.hasRecoveryCode(userId, code) }, parts);
  return { by: 'recovery code', use: ({ tx }) => secondFactors.useRecoveryCode(tx, userId, code) };
}

async function checkPasskey(
  answer: PasskeyAnswer,
  { factors, challenge }: { factors: Factors; challenge: string },
  { account, passkeys }: ConsoleParts,
): Promise<Right> {
  const passkey = factors.passkeys.find(
    ({ credential }) => Buffer.from(credential).toString('base64url') === answer.id,
  );
  if (!passkey) throw new ApiError('PASSKEY_WRONG');
  const counter = await passkeys.used(passkey, answer, challenge, false);
  return { by: 'passkey', use: ({ tx, now }) => account.secondFactors.usePasskey(tx, passkey.id, counter, now) };
}
