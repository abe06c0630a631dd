// Fields that routes of the management API share.
import { App, cursor, isDeceptive, nameText, text } from '@landfall/contracts';
import { isSimulated, linkHost, openHost } from '@landfall/gateway';
import { z } from 'zod';
import type { ConsoleConfig } from '../config.ts';

/** An id in a path, in upper or lower case. */
export const id = () => z.uuid().toLowerCase();

/** The query of lists. They are read page by page, newest first. */
export const pageQuery = z.object({
  limit: z.coerce.number<string>().int().min(1).max(100).default(50).describe('Rows per page.'),
  cursor: cursor()
    .optional()
    .describe('`next` of the previous page.')
    .transform((given) => given ?? null),
});

export const next = () => cursor().nullable().describe('The cursor of the next page; null at the end.');

/** Seconds for which a replaced secret stays valid. */
export const overlapSeconds = () =>
  z
    .int()
    .min(0)
    .max(30 * DAY_SECONDS)
    .default(DAY_SECONDS);
const DAY_SECONDS = 86_400;

export const plaintext = z.string().describe('It is not stored: save it now.');

/** The email of an existing person. */
export const emailText = () =>
  text(320)
    .regex(/^\s*[^\s@]+@[^\s@]+\s*$/, 'must be an email address')
    .meta({ format: 'email' });
/** The email of a new person. */
export const newEmail = () =>
  emailText().refine((email) => !isDeceptive(email.trim()), {
    error: 'must contain no invisible character, and no character that looks like an ASCII character',
  });
/** A current password. It may be older than today's rules. */
export const knownPassword = () => text(1_024).min(1).meta({ format: 'password' });
/** A one-time code: 32 bytes as base64url. */
export const code = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be a code of 43 characters')
    .meta({ format: 'password' });
const LAST = Date.UTC(10_000, 0) - 1;
/** PostgreSQL knows no year 0, and JavaScript writes years after 9999 in a form that nobody else reads. */
export const anyTime = () =>
  z.iso.datetime({ offset: true }).refine((given) => Date.parse(given) >= 0 && Date.parse(given) <= LAST, {
    error: 'must be a time between 1970 and 9999',
  });
export const personName = () => nameText(200).describe('The name of the person.');
export const teamName = () => nameText(200);
export const appName = () => nameText(200);

export const appView = App.extend({
  linkHost: z.string(),
  openHost: z.string(),
  simulated: z
    .boolean()
    .describe(
      'A page of Landfall plays the app after its install, because the app has no build, store, web page and domain yet.',
    ),
});

export const viewApp = (app: App, config: ConsoleConfig): z.input<typeof appView> => ({
  ...app,
  linkHost: linkHost(app, config),
  openHost: openHost(app, config),
  simulated: isSimulated(app, config),
});

export const inUtc = (given: string): string => new Date(given).toISOString();

/** The expiry of a new link, in UTC. */
export const linkExpiry = () =>
  anyTime()
    .nullable()
    .default(null)
    .describe('The link stops working at this time. Null: never.')
    .transform((given) => given && inUtc(given));

export const hasPassed = (expiresAt: string | null, now: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
