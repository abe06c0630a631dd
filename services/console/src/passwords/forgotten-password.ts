// An email with a code for a new password. Whoever asks learns nothing: not whether the account exists, not by the time.
import { hash } from 'node:crypto';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeSecret } from '../access/one-time.ts';
import type { Mailer } from '../mail/mailer.ts';
import { askOwnerMail, noPasswordMail, resetMail } from '../mail/mails.ts';
import type { ConsoleParts } from '../parts.ts';
import type { Known } from '../people/person-repository.ts';
import { emailText } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { hasFactor } from '../second-factor/second-factor-repository.ts';
import { afterFailure, EMAILS } from '../sessions/sign-in-delays.ts';

/** A code of an email is valid for an hour. */
const LIFETIME_MS = 3_600_000;

export const forgotPassword = manageRoute('POST /api/manage/password/forgotten', {
  summary: 'Ask for an email with a code for a new password; the answer is the same for every email',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ email: emailText() }),
  reply: z.object({}),
  errors: ['MAIL_OFF'],
  async handle({ body: { email }, address }, parts) {
    const { mailer } = parts;
    if (!mailer) throw new ApiError('MAIL_OFF');
    mailer.later(() => answer(email, parts.hashes.address(address), mailer, parts));
    return {};
  },
});

async function answer(email: string, address: string | null, mailer: Mailer, parts: ConsoleParts): Promise<void> {
  const { account, config, provider } = parts;
  const known = await account.people.findByEmail(email);
  if (!known || !(await mayMail(known.person.id, parts))) return;
  const { person } = known;
  const factors = await account.secondFactors.find(person.id);
  if (!person.hasPassword) {
    const text = noPasswordMail(`${config.PUBLIC_URL}/sign-in`, provider?.settings.name ?? null);
    return mailer.send({ id: crypto.randomUUID(), to: person.email, ...text });
  }
  // The mailbox alone must not take an account over that a second factor protects.
  if (known.claimable && factors && hasFactor(factors))
    return mailer.send({ id: crypto.randomUUID(), to: person.email, ...askOwnerMail() });
  const { plaintext, id } = await offerCode(known, address, parts);
  await mailer.send({ id, to: person.email, ...resetMail(`${config.PUBLIC_URL}/reset#${plaintext}`) });
}

/** Strangers can ask for it. So a person gets few of them: the waits between them double, up to four hours. */
async function mayMail(userId: string, { account: { signIns }, now }: ConsoleParts): Promise<boolean> {
  const of = { emailHash: hash('sha256', `reset mails of ${userId}`, 'base64url'), place: null };
  return signIns.inTurn(of, async (tx) => {
    const before = await signIns.failures(of, tx);
    if (before && before.nextAt > now()) return false;
    await signIns.count(tx, of, afterFailure(before, now(), EMAILS));
    return true;
  });
}

async function offerCode({ person }: Known, address: string | null, { account, change, now }: ConsoleParts) {
  const { plaintext, hash: codeHash } = makeSecret();
  // Anybody can ask, so the entry names nobody.
  const actor = { kind: 'person', userId: null, tokenId: null, address } as const;
  return change({ command: 'AskForPasswordReset', actor, now: now() }, async ({ tx, id, now }) => {
    await account.people.offerReset(tx, person.id, codeHash, new Date(now.getTime() + LIFETIME_MS));
    return { subject: person.id, done: { plaintext, id } };
  });
}
