// Why a message does not arrive.

export const faults = [
  'ANSWER',
  'CHANNEL_GONE',
  'MAIL_FAILED',
  'MAIL_OFF',
  'NAME_UNKNOWN',
  'NOT_CONFIRMED',
  'NOT_MEMBER',
  'NO_CONNECTION',
  'PRIVATE_ADDRESS',
  'SECRET_CHANGED',
  'TIMEOUT',
  'TLS',
  'TOO_MANY_MAILS',
  'UNSUBSCRIBED',
] as const;
export type Fault = (typeof faults)[number];

/** Says why a message did not arrive. */
export const sentenceOf = (fault: Fault, status: number | null): string =>
  fault === 'ANSWER' ? `The receiver answered with status ${status}.` : SENTENCES[fault];

const SENTENCES: Record<Exclude<Fault, 'ANSWER'>, string> = {
  CHANNEL_GONE: 'The channel was removed.',
  MAIL_FAILED: 'The mail server did not take the email.',
  MAIL_OFF: 'This installation sends no email: SMTP_URL and MAIL_FROM are not set.',
  NAME_UNKNOWN: 'DNS does not know the host of the URL.',
  NOT_CONFIRMED: 'The owner of the address has not confirmed it.',
  NOT_MEMBER: 'The person is not in the team any more.',
  NO_CONNECTION: 'No connection came about.',
  PRIVATE_ADDRESS: 'The host is inside of a private network. The operator can allow that with PRIVATE_WEBHOOKS.',
  SECRET_CHANGED: 'The target cannot be read, because SEAL_SECRET was changed: add the channel again.',
  TIMEOUT: 'No answer came within ten seconds.',
  TLS: 'The certificate of the host is not valid.',
  TOO_MANY_MAILS: 'The team has sent its emails of today.',
  UNSUBSCRIBED: 'The owner of the address wants no more of these emails.',
};
