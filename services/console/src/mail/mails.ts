// The texts of emails. They are plain text: nothing in them can be taken for a part of a page.
import type { Mail } from './mailer.ts';

type Text = Pick<Mail, 'subject' | 'text'>;

const of = (subject: string, ...lines: string[]): Text => ({ subject, text: `${lines.join('\n\n')}\n` });

const WHO = 'If you do not know what this is about, ignore this email. Nothing happens then.';

export const invitationMail = (team: string, url: string): Text =>
  of(
    `Invitation to ${oneLine(team)}`,
    `You are invited to the team "${oneLine(team)}" in Landfall. Landfall makes links that survive the install of an app.`,
    `Join within seven days: ${url}`,
    'The address is for you alone. It works once.',
    WHO,
  );

export const resetMail = (url: string): Text =>
  of(
    'A new password for Landfall',
    `Choose a new password within an hour: ${url}`,
    'The address is for you alone. It works once. Until you use it, your password stays as it is.',
    'If you did not ask for it, ignore this email. Somebody may have typed your email by mistake.',
  );

export const noPasswordMail = (signInUrl: string, provider: string | null): Text =>
  of(
    'Your sign-in to Landfall',
    'Somebody asked for a new password for your account. Your account has no password.',
    `Sign in ${provider === null ? 'through your provider' : `with ${oneLine(provider)}`}: ${signInUrl}`,
    'If you did not ask for it, ignore this email.',
  );

export const askOwnerMail = (): Text =>
  of(
    'Your sign-in to Landfall',
    'Somebody asked for a new password for your account. Nobody has confirmed yet that this email belongs to the person of the account, and the account has a second factor. So it gets no new password by email.',
    'If you forgot your password, ask the operator of this installation to reset it.',
    'If you did not ask for it, ignore this email.',
  );

export const channelMail = (app: string, url: string): Text =>
  of(
    `Reports of ${oneLine(app)}`,
    `Somebody who works on the app "${oneLine(app)}" wants to send its reports and alerts from Landfall to this address.`,
    `If you want them, confirm it within seven days: ${url}`,
    WHO,
  );

/** A name may hold anything that a person typed. An address in it must not become a link of our email. */
export const oneLine = (name: string): string =>
  name
    .replace(/\p{C}/gu, ' ')
    .replace(/:\/\/|www\./gi, ' ')
    .slice(0, 100);
