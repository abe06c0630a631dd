// Routes of sign-ins with more than a password, or without one.
import { text } from '@landfall/contracts';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import {
  beginSession,
  type NewSession,
  personsChanged,
  sessionOfBrowser,
  signedInReply,
} from '../sessions/session-of-browser.ts';
import { type PasskeyAnswer, passkeyAnswer, passkeyOptions } from './passkeys.ts';
import { enterBySecondStep, type Shown } from './second-step.ts';
import { openStep, type StepOf, sealStep, stepText } from './steps.ts';

const body = z.object({
  step: stepText(),
  code: text(60)
    .min(1)
    .optional()
    .meta({ format: 'password' })
    .describe('The six digits of the authenticator app, or a recovery code.'),
  passkey: passkeyAnswer.optional(),
});

export const takeSecondStep = manageRoute('POST /api/manage/session/second-step', {
  summary: 'Sign in with the second factor, after the password: with a code or with a passkey',
  needs: 'anyone',
  limit: 'sign-in',
  body,
  reply: z.object(signedInReply),
  errors: ['STEP_OVER', 'SECOND_FACTOR_WRONG', 'PASSKEY_WRONG', 'SIGN_IN_DELAYED', 'SIGN_IN_BUSY', 'SIGN_IN_USED'],
  async handle(call, parts) {
    const shown = shownOf(call.body);
    const step = openStep(parts.sealer, 'second step', call.body.step, parts.now());
    const { give, ...begun } = sessionOfBrowser(call, parts);
    const device = parts.cookies.device(call.headers);
    const browser = { ...begun, deviceHash: device && sha256(device.id) };
    return give(await parts.signIns.run(step.userId, call, () => enterBySecondStep(step, shown, browser, parts)));
  },
});

function shownOf({ code, passkey }: z.output<typeof body>): Shown {
  if ((code === undefined) === (passkey === undefined))
    throw new ApiError('INVALID_REQUEST', [{ path: 'code', message: 'or `passkey` is required, and not both' }]);
  return code === undefined ? { passkey: passkey! } : { code };
}

export const beginPasskeySignIn = manageRoute('POST /api/manage/session/passkey-options', {
  summary: 'Begin to sign in with a passkey and without a password',
  needs: 'anyone',
  limit: 'sign-in',
  reply: z.object({ step: stepText(), options: passkeyOptions() }),
  async handle(_, { passkeys, sealer, now }) {
    const options = await passkeys.forSignIn(null);
    return {
      step: sealStep(sealer, { of: 'passkey sign-in', challenge: options.challenge }, now()),
      options: { ...options },
    };
  },
});

export const signInByPasskey = manageRoute('POST /api/manage/session/passkey', {
  summary: 'Sign in with a passkey; the session is in a cookie',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ step: stepText(), passkey: passkeyAnswer }),
  reply: z.object(signedInReply),
  errors: ['STEP_OVER', 'PASSKEY_WRONG', 'SIGN_IN_USED'],
  async handle(call, parts) {
    const step = openStep(parts.sealer, 'passkey sign-in', call.body.step, parts.now());
    const { give, ...begun } = sessionOfBrowser(call, parts);
    return give(await enter(step, call.body.passkey, begun, parts));
  },
});

async function enter(
  step: StepOf<'passkey sign-in'>,
  answer: PasskeyAnswer,
  browser: NewSession,
  { account, passkeys, change, now: clock }: ConsoleParts,
) {
  const passkey = await account.secondFactors.findPasskey(answer.id);
  if (!passkey) throw new ApiError('PASSKEY_WRONG');
  const counter = await passkeys.used(passkey, answer, step.challenge, true);
  const { userId } = passkey;
  const actor = { kind: 'person', userId, tokenId: null, address: browser.address } as const;
  return change({ command: 'SignIn', actor, now: clock() }, async (at) => {
    const { tx, now } = at;
    const known = await account.people.lock(tx, userId);
    if (!known) throw new ApiError('PASSKEY_WRONG');
    if ((await tx.session.count({ where: { id: step.id } })) > 0) throw new ApiError('SIGN_IN_USED');
    // It may have been removed since it was read.
    if (!(await account.secondFactors.usePasskey(tx, passkey.id, counter, now))) throw new ApiError('PASSKEY_WRONG');
    const { session, left } = await beginSession(at, browser, userId, step.id);
    const done = { session, person: known.person };
    return { subject: session.id, after: { by: 'passkey' }, done, events: personsChanged(left) };
  });
}
