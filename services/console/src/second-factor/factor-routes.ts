// Routes by which a person sets up and removes second factors.
import { text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { isFresh } from '../access/authorise.ts';
import type { Session } from '../access/caller.ts';
import type { Changing } from '../changes/change.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import { personsChanged } from '../sessions/session-of-browser.ts';
import { newPasskeyAnswer, passkeyOptions, passkeysPossible } from './passkeys.ts';
import { hasFactor, passkeyView, viewPasskey } from './second-factor-repository.ts';
import { openStep, sealStep, stepText } from './steps.ts';
import { newTotpSecret, totpStep, totpUrl } from './totp.ts';

const MOST_PASSKEYS = 20;

const recoveryCodes = () => z.array(z.string()).describe('Ten codes. Each can be used once. They are shown only now.');
const firstCodes = () => recoveryCodes().nullable().describe('With the first second factor: ten codes. Else null.');

/** The code of the error comes first: a person with an old session learns it before they do anything else. */
function assertFresh({ caller }: { caller: Session }, { now }: ConsoleParts): void {
  if (!isFresh(caller, now())) throw new ApiError('SIGN_IN_AGAIN');
}

export const getSecondFactor = manageRoute('GET /api/manage/me/second-factor', {
  summary: 'Get your second factors: the authenticator app, passkeys, and how many recovery codes are left',
  needs: 'person',
  reply: z.object({
    authenticatorApp: z.object({ createdAt: z.iso.datetime(), lastUsedAt: z.iso.datetime().nullable() }).nullable(),
    passkeys: z.array(passkeyView),
    recoveryCodes: z.int().describe('The codes that are left.'),
    passkeysPossible: z
      .boolean()
      .describe('False: browsers know no passkeys under PUBLIC_URL. It needs https and a name.'),
    fresh: z.boolean().describe('False: sign in again before you change anything here. True for 15 minutes after it.'),
  }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ caller }, { account, config, now }) {
    const factors = await account.secondFactors.find(caller.userId);
    if (!factors) throw new ApiError('PERSON_NOT_FOUND');
    const { authenticatorApp: app, passkeys, recoveryCodes } = factors;
    return {
      authenticatorApp: app && {
        createdAt: app.createdAt.toISOString(),
        lastUsedAt: app.lastUsedAt?.toISOString() ?? null,
      },
      passkeys: passkeys.map(viewPasskey),
      recoveryCodes,
      passkeysPossible: passkeysPossible(config.PUBLIC_URL),
      fresh: isFresh(caller, now()),
    };
  },
});

const errors = ['SIGN_IN_AGAIN', 'PERSON_NOT_FOUND'] as const;

export const beginAuthenticatorApp = manageRoute('POST /api/manage/me/authenticator-app', {
  summary: 'Begin to set up an authenticator app: get its secret',
  needs: 'person',
  reply: z.object({
    step: stepText(),
    secret: z.string().describe('In base32, for people who type it.'),
    url: z.string().describe('`otpauth:`, for a QR code.'),
  }),
  errors,
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    const { person } = (await parts.account.people.find(userId)) ?? {};
    if (!person) throw new ApiError('PERSON_NOT_FOUND');
    const secret = newTotpSecret();
    const step = sealStep(parts.sealer, { of: 'new authenticator app', userId, secret }, parts.now());
    const issuer = `Landfall ${new URL(parts.config.PUBLIC_URL).host}`;
    return { step, secret, url: totpUrl(secret, { issuer, label: person.email }) };
  },
});

export const confirmAuthenticatorApp = manageRoute('POST /api/manage/me/authenticator-app/confirm', {
  summary: 'Set the authenticator app up with its first code',
  needs: 'person',
  limit: 'sign-in',
  body: z.object({ step: stepText(), code: text(20).min(1) }),
  reply: z.object({ recoveryCodes: firstCodes() }),
  errors: [...errors, 'STEP_OVER', 'SECOND_FACTOR_WRONG', 'AUTHENTICATOR_APP_EXISTS'],
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    const { secret, ...step } = openStep(parts.sealer, 'new authenticator app', call.body.step, parts.now());
    if (step.userId !== userId) throw new ApiError('STEP_OVER');
    const lastStep = totpStep(secret, call.body.code.replace(/\s/g, ''), parts.now());
    if (lastStep === null) throw new ApiError('SECOND_FACTOR_WRONG');
    const sealed = parts.sealer.seal('second factor', secret);
    return call.change('AddAuthenticatorApp', async (at) => {
      const { tx, now } = at;
      const { authenticatorApp } = await lockFactors(at, userId);
      if (authenticatorApp) throw new ApiError('AUTHENTICATOR_APP_EXISTS');
      await tx.authenticatorApp.create({ data: { userId, secret: sealed, lastStep, createdAt: now, lastUsedAt: now } });
      return { subject: userId, done: await withFirstCodes(at, userId), events: personsChanged(userId) };
    });
  },
});

export const removeAuthenticatorApp = manageRoute('DELETE /api/manage/me/authenticator-app', {
  summary: 'Remove your authenticator app',
  needs: 'person',
  reply: z.object({}),
  errors: [...errors, 'AUTHENTICATOR_APP_NOT_FOUND'],
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    return call.change('RemoveAuthenticatorApp', async (at) => {
      const { authenticatorApp } = await lockFactors(at, userId);
      if (!authenticatorApp) throw new ApiError('AUTHENTICATOR_APP_NOT_FOUND');
      await at.tx.authenticatorApp.delete({ where: { userId } });
      await endCodesWithLast(at, userId);
      return { subject: userId, done: {}, events: personsChanged(userId) };
    });
  },
});

export const beginPasskey = manageRoute('POST /api/manage/me/passkeys/options', {
  summary: 'Begin to add a passkey: get the options for the browser',
  needs: 'person',
  reply: z.object({ step: stepText(), options: passkeyOptions() }),
  errors: [...errors, 'TOO_MANY_PASSKEYS'],
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    const { account, passkeys, sealer, now } = parts;
    const [known, factors] = [await account.people.find(userId), await account.secondFactors.find(userId)];
    if (!known || !factors) throw new ApiError('PERSON_NOT_FOUND');
    if (factors.passkeys.length >= MOST_PASSKEYS) throw new ApiError('TOO_MANY_PASSKEYS');
    const options = await passkeys.forNew(known.person, factors.passkeys);
    const step = sealStep(sealer, { of: 'new passkey', userId, challenge: options.challenge }, now());
    return { step, options: { ...options } };
  },
});

export const addPasskey = manageRoute('POST /api/manage/me/passkeys', {
  summary: 'Add the passkey that the browser has made',
  needs: 'person',
  limit: 'sign-in',
  body: z.object({ step: stepText(), name: text(100).trim().min(1), passkey: newPasskeyAnswer }),
  reply: z.object({ passkey: passkeyView, recoveryCodes: firstCodes() }),
  errors: [...errors, 'STEP_OVER', 'PASSKEY_WRONG', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS'],
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    const { name, passkey: answer } = call.body;
    const { challenge, ...step } = openStep(parts.sealer, 'new passkey', call.body.step, parts.now());
    if (step.userId !== userId) throw new ApiError('STEP_OVER');
    const made = await parts.passkeys.made(answer, challenge);
    return call.change('AddPasskey', async (at) => {
      const { tx, id, now } = at;
      const { passkeys } = await lockFactors(at, userId);
      if (passkeys.length >= MOST_PASSKEYS) throw new ApiError('TOO_MANY_PASSKEYS');
      // The same answer twice is the same passkey, so a step adds only one.
      if ((await tx.passkey.count({ where: { credential: made.credential } })) > 0)
        throw new ApiError('PASSKEY_EXISTS');
      const row = await tx.passkey.create({ data: { id, userId, name, ...made, createdAt: now } });
      const done = { passkey: viewPasskey(row), ...(await withFirstCodes(at, userId)) };
      return { subject: userId, after: { name }, done, events: personsChanged(userId) };
    });
  },
});

export const removePasskey = manageRoute('DELETE /api/manage/me/passkeys/:passkeyId', {
  summary: 'Remove one of your passkeys',
  needs: 'person',
  reply: z.object({}),
  errors: [...errors, 'PASSKEY_NOT_FOUND'],
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    return call.change('RemovePasskey', async (at) => {
      const { passkeys } = await lockFactors(at, userId);
      const passkey = passkeys.find(({ id }) => id === call.params.passkeyId);
      if (!passkey) throw new ApiError('PASSKEY_NOT_FOUND');
      await at.tx.passkey.delete({ where: { id: passkey.id } });
      await endCodesWithLast(at, userId);
      return { subject: userId, before: { name: passkey.name }, done: {}, events: personsChanged(userId) };
    });
  },
});

export const renewRecoveryCodes = manageRoute('POST /api/manage/me/recovery-codes', {
  summary: 'Get ten new recovery codes; the earlier ones end',
  needs: 'person',
  reply: z.object({ recoveryCodes: recoveryCodes() }),
  errors: [...errors, 'SECOND_FACTOR_NOT_FOUND'],
  async handle(call, parts) {
    assertFresh(call, parts);
    const { userId } = call.caller;
    return call.change('RenewRecoveryCodes', async (at) => {
      if (!hasFactor(await lockFactors(at, userId))) throw new ApiError('SECOND_FACTOR_NOT_FOUND');
      return {
        subject: userId,
        done: { recoveryCodes: await at.account.secondFactors.renewRecoveryCodes(at.tx, userId) },
      };
    });
  },
});

/** The second factors of the person do not change until the change is done. */
async function lockFactors({ tx, account }: Changing, userId: string) {
  const factors = (await account.people.lock(tx, userId)) && (await account.secondFactors.find(userId, tx));
  if (!factors) throw new ApiError('PERSON_NOT_FOUND');
  return factors;
}

async function withFirstCodes({ tx, account }: Changing, userId: string): Promise<{ recoveryCodes: string[] | null }> {
  const { recoveryCodes } = (await account.secondFactors.find(userId, tx))!;
  return { recoveryCodes: recoveryCodes > 0 ? null : await account.secondFactors.renewRecoveryCodes(tx, userId) };
}

/** Recovery codes are for people with a second factor. */
async function endCodesWithLast({ tx, account }: Changing, userId: string): Promise<void> {
  if (!hasFactor((await account.secondFactors.find(userId, tx))!)) await account.secondFactors.removeAll(tx, userId);
}
