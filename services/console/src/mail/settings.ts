// The settings of the mail server. They are optional: without them the installation sends no email.
import { StartError } from '@landfall/runtime';
import { z } from 'zod';
import { isLoopback } from '../oidc/settings.ts';

/** One address, with or without a name before it. */
const FROM = /^(?:"?(?<name>[^"<>\p{Cc}]{1,100}?)"?\s*<(?<inside>[^<>]+)>|(?<alone>[^<>]+))$/u;
/** Stricter than what mail allows: an address is never a list, and never holds a part of a header. */
const ADDRESS = /^[^\s@<>()[\],;:\\"\p{C}]{1,64}@[^\s@<>()[\],;:\\"\p{C}]{1,255}$/u;

export const isAddress = (email: string): boolean => ADDRESS.test(email);

export const MailConfig = z.object({
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be smtp://user:password@host:587 or smtps://user:password@host:465' })
    .refine((url) => new URL(url).search === '' && new URL(url).hostname !== '', 'must have a host, and no options')
    .optional()
    .describe(
      'The mail server for invitations, password resets, reports and alerts: `smtp://user:password@host:587` (with STARTTLS) or `smtps://user:password@host:465`. Always with TLS, except on loopback. Without it the web app says that mail is off.',
    )
    .meta({ secret: true }),
  MAIL_FROM: z
    .string()
    .max(400)
    .refine((from) => parseFrom(from) !== null, 'must be an address, such as Landfall <landfall@example.com>')
    .optional()
    .describe('The sender of emails, such as `Landfall <landfall@example.com>`.'),
});

export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte. Else STARTTLS, unless `plain`. */
  secure: boolean;
  /** True on loopback alone. */
  plain: boolean;
  auth: { user: string; pass: string } | undefined;
  from: { name: string; address: string };
}

/** Returns the settings. Undefined when none is set. Throws {@link StartError} when only one is set. */
export function mailOf({ SMTP_URL, MAIL_FROM }: z.output<typeof MailConfig>): MailSettings | undefined {
  if (SMTP_URL === undefined && MAIL_FROM === undefined) return undefined;
  if (SMTP_URL === undefined || MAIL_FROM === undefined)
    throw new StartError('SMTP_URL and MAIL_FROM need each other: set both, or none.');
  const { protocol, hostname, port, username, password } = new URL(SMTP_URL);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    plain: !secure && isLoopback(SMTP_URL),
    auth: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    from: parseFrom(MAIL_FROM)!,
  };
}

function parseFrom(from: string): MailSettings['from'] | null {
  const { name = '', inside, alone = '' } = FROM.exec(from.trim())?.groups ?? {};
  const address = (inside ?? alone).trim();
  return isAddress(address) ? { name, address } : null;
}
