// Sends emails by SMTP. nodemailer does much more than that, so its doors to files and URLs are shut, and every message
// has one checked recipient and one text.
import type { Logger } from '@landfall/runtime';
import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import { isAddress, type MailSettings } from './settings.ts';

export interface Mail {
  /** The message id is made of it, so that a mail server knows a repeated message. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The address at which the recipient ends such emails: a POST ends them at once, a browser gets a page (RFC 8058). */
  unsubscribe?: string | undefined;
}

export type Mailer = ReturnType<typeof createMailer>;

/** For each of: the look-up of the name, the connection, the greeting, and a silent connection. */
const PART_MS = 10_000;
/** For a message as a whole. */
const WITHIN_MS = 15_000;
const CONNECTIONS = 2;
/** Emails that wait in this process. Those beyond are dropped: a person asks again. */
const MAX_WAITING = 100;

/** @param host of the message ids */
export function createMailer(
  settings: MailSettings,
  { host, log, withinMs = WITHIN_MS }: { host: string; log: Logger; withinMs?: number },
) {
  const limit = pLimit(CONNECTIONS);
  const underWay = new Set<Promise<void>>();
  let transport: ReturnType<typeof connect> | undefined;

  async function send({ id, to, subject, text, unsubscribe }: Mail): Promise<void> {
    if (!isAddress(to)) throw new MailError('EADDRESS');
    if (/\p{Cc}/u.test(subject)) throw new MailError('ESUBJECT');
    if (unsubscribe !== undefined && !URL_ALONE.test(unsubscribe)) throw new MailError('EUNSUBSCRIBE');
    transport ??= connect(settings);
    const message = {
      from: settings.from,
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${id}@${host}>`,
      // Replies of vacation programs help nobody.
      xMailer: false as const,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    };
    const sending = (await transport).sendMail(message);
    try {
      await pTimeout(sending, { milliseconds: withinMs });
    } catch (error) {
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      // The text of a mail server often holds the address. So its codes alone are kept.
      throw new MailError(String(code ?? 'ETIMEOUT'), typeof responseCode === 'number' ? responseCode : null);
    }
  }

  return {
    /** Resolves when the mail server has taken the message. @throws MailError */
    send,

    /** Does work that may end with an email, after the answer: so the answer tells nothing of it. */
    later(work: () => Promise<void>): void {
      if (limit.pendingCount >= MAX_WAITING) {
        log.warn('an email was not sent: too many wait');
        return;
      }
      const done = limit(work).catch((err: unknown) => log.warn({ err }, 'an email was not sent'));
      underWay.add(done);
      void done.finally(() => underWay.delete(done));
    },

    /** Resolves when nothing waits. */
    idle: async (): Promise<void> => void (await Promise.all(underWay)),

    async stop(): Promise<void> {
      await Promise.all(underWay);
      (await transport)?.close();
    },
  };
}

/** A URL without a character that could end the header. */
const URL_ALONE = /^https?:\/\/[!-;=?-~]+$/;

export class MailError extends Error {
  override name = 'MailError';
  readonly code: string;
  /** What the mail server answered. Null: it did not answer. */
  readonly status: number | null;

  /** @param code of nodemailer */
  constructor(code: string, status: number | null = null) {
    super(`the mail server did not take an email: ${code}${status === null ? '' : ` ${status}`}`);
    this.code = code;
    this.status = status;
  }
}

async function connect({ host, port, secure, plain, auth }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    host,
    port,
    secure,
    requireTLS: !plain && !secure,
    ignoreTLS: plain,
    ...(auth && { auth }),
    dnsTimeout: PART_MS,
    connectionTimeout: PART_MS,
    greetingTimeout: PART_MS,
    socketTimeout: PART_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // An idle connection that breaks is no fault of an email. Without a listener it would end the process.
  transport.on('error', () => {});
  return transport;
}
