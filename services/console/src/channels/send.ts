// Sends a message through a channel, and says in one word why it did not arrive.
import { ApiError } from '@landfall/http';
import { MailError } from '../mail/mailer.ts';
import type { ConsoleParts } from '../parts.ts';
import type { Channel } from './channel-repository.ts';
import { type Fault, sentenceOf } from './faults.ts';
import { asMail, asSlack, asTeams, asWebhook, type Message, signedHeaders } from './message.ts';
import { postJson } from './post-json.ts';

/** Faults that another attempt does not mend. */
const FINAL: ReadonlySet<Fault> = new Set([
  'CHANNEL_GONE',
  'MAIL_OFF',
  'NOT_CONFIRMED',
  'NOT_MEMBER',
  'PRIVATE_ADDRESS',
  'SECRET_CHANGED',
  'TOO_MANY_MAILS',
  'UNSUBSCRIBED',
]);
/** Answers of an address that is closed for good. */
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** Emails of the apps of one team. More would be those of a sender of spam. */
export const MAILS_A_DAY = 200;
const DAY_MS = 86_400_000;

export class SendError extends Error {
  override name = 'SendError';
  readonly fault: Fault;
  /** The status of the answer. Null: there was none. */
  readonly status: number | null;
  /** Seconds after which the receiver wants to be asked again. */
  readonly retryAfter: number | null;

  constructor(fault: Fault, status: number | null = null, retryAfter: number | null = null) {
    super(`a message did not arrive: ${fault}${status === null ? '' : ` ${status}`}`);
    this.fault = fault;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** True when another attempt is of no use. */
  get final(): boolean {
    return FINAL.has(this.fault) || (this.fault === 'ANSWER' && GONE.has(this.status ?? 0));
  }
}

export type SendParts = Pick<ConsoleParts, 'account' | 'config' | 'mailer' | 'sealer' | 'now'>;

/**
 * Resolves when the receiver has taken the message.
 * @param id stays the same when the message is sent again, so that a receiver can know it
 * @throws SendError
 */
export async function sendMessage(channel: Channel, id: string, message: Message, parts: SendParts): Promise<void> {
  if (channel.state === 'unsubscribed') throw new SendError('UNSUBSCRIBED');
  if (channel.state === 'unconfirmed') throw new SendError('NOT_CONFIRMED');
  if (channel.kind === 'email') return sendMail(channel, id, message, parts);
  const url = opened(channel.target, parts);
  const { body, headers } = requestOf(channel, id, message, parts);
  const publicOnly = parts.config.PRIVATE_WEBHOOKS === 'off';
  const { status, retryAfter } = await postJson(url, body, { headers, publicOnly }).catch(asSendError);
  if (status < 200 || status > 299) throw new SendError('ANSWER', status, retryAfter);
}

function requestOf({ kind, secret }: Channel, id: string, message: Message, parts: SendParts) {
  if (kind === 'slack') return { body: asSlack(message), headers: {} };
  if (kind === 'teams') return { body: asTeams(message), headers: {} };
  const at = parts.now();
  const body = asWebhook(message, at);
  return { body, headers: signedHeaders(opened(secret, parts), id, at, body) };
}

async function sendMail(channel: Channel, id: string, message: Message, parts: SendParts): Promise<void> {
  const { account, config, mailer, sealer, now } = parts;
  const { id: channelId, appId, userId, target } = channel;
  if (!mailer) throw new SendError('MAIL_OFF');
  if (!(await mailsAreLeft(appId, parts, now()))) throw new SendError('TOO_MANY_MAILS');
  const to = userId === null ? opened(target, parts) : await account.channels.memberEmail(appId, userId);
  if (to === null) throw new SendError('NOT_MEMBER');
  const unsubscribe = `${config.PUBLIC_URL}/unsubscribe?of=${sealer.seal('unsubscribe', channelId)}`;
  await mailer.send({ id, to, ...asMail(message, unsubscribe), unsubscribe }).catch((error: unknown) => {
    throw error instanceof MailError ? new SendError('MAIL_FAILED', error.status) : error;
  });
}

/** Whether the team of an app may send another email today. */
export async function mailsAreLeft(appId: string, { account }: SendParts, now: Date): Promise<boolean> {
  return (await account.messages.mailsOfTeam(appId, new Date(now.getTime() - DAY_MS))) < MAILS_A_DAY;
}

/** The operator may have changed SEAL_SECRET. */
function opened(sealed: string | null, { sealer }: SendParts): string {
  try {
    return sealer.open('channel', sealed ?? '');
  } catch {
    throw new SendError('SECRET_CHANGED');
  }
}

const NAMES: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_FAIL']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

function asSendError(error: NodeJS.ErrnoException): never {
  const code = error.code ?? '';
  if (code === 'PRIVATE_ADDRESS' || code === 'TIMEOUT') throw new SendError(code);
  if (NAMES.has(code)) throw new SendError('NAME_UNKNOWN');
  throw new SendError(TLS.test(code) ? 'TLS' : 'NO_CONNECTION');
}

/** What a person is told who tried a channel. */
export const asApiError = ({ fault, status }: SendError): ApiError =>
  new ApiError('CHANNEL_FAILED', undefined, { body: { error: sentenceOf(fault, status), fault, status } });
