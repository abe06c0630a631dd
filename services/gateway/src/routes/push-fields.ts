// What a push is made of, and whom it is for.
import {
  COLLAPSE_KEY_BYTES,
  destination,
  MOST_NAMED,
  Platform,
  type PushMessage,
  type PushTarget,
  TOKEN_LENGTH,
  text,
} from '@landfall/contracts';
import { z } from 'zod';
import { kindOf, spelt } from '../device-token.ts';
import { type Hashes, sha256 } from '../hashes.ts';
import { userEmail } from './fields.ts';

export const deviceToken = () =>
  text(TOKEN_LENGTH)
    .min(1)
    .refine((token) => kindOf(token) !== null, {
      error: 'must be a token of Firebase (no blanks, more than hexadecimal digits) or of APNs (64 to 200 of them)',
    })
    .describe('As Firebase or APNs gave it to the app.');

/** What names a token everywhere but in the app and at its provider. */
export const hashOfToken = (token: string): string => sha256(spelt(token));

const DATA_BYTES = 4_096;

const scalar = z.union([text(2_048), z.number(), z.boolean()], {
  error: 'must be a string of at most 2048 characters, a number or a boolean: what is nested does not arrive',
});

export const pushFields = {
  title: text(500).min(1),
  body: text(3_000),
  destinationPath: destination()
    .optional()
    .describe('Where the app leads who opens it, with its query. Without it the public SDK opens `/`.'),
  metadata: z
    .record(text(100).min(1), scalar)
    .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= DATA_BYTES, {
      error: `must be at most ${DATA_BYTES} bytes as JSON`,
    })
    .optional()
    .describe('Flat: each value is a string, a number or a boolean.'),
  imageUrl: z
    .url({ protocol: /^https$/, error: 'must be an https URL' })
    .max(2_048)
    .optional(),
  sound: text(100).min(1).optional().describe('`default`, or a sound of the app. Silent when left out.'),
  badge: z
    .int()
    .min(0)
    .max(99_999)
    .optional()
    .describe("The number on the app's icon; 0 takes it away. It stays as it is when left out."),
  collapseKey: text(COLLAPSE_KEY_BYTES)
    .min(1)
    .refine((key) => Buffer.byteLength(key) <= COLLAPSE_KEY_BYTES, {
      error: `must be at most ${COLLAPSE_KEY_BYTES} bytes`,
    })
    .optional()
    .describe('Of several with one key a device shows the last.'),
};

type Fields = z.output<z.ZodObject<typeof pushFields>>;

export const messageOf = (given: Fields): PushMessage => ({
  title: given.title,
  body: given.body,
  destinationPath: given.destinationPath ?? null,
  metadata: given.metadata ?? {},
  imageUrl: given.imageUrl ?? null,
  sound: given.sound ?? null,
  badge: given.badge ?? null,
  collapseKey: given.collapseKey ?? null,
});

const named = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(MOST_NAMED).optional();

export const pushTarget = () =>
  z
    .object({
      all: z.literal(true).optional().describe('Every device of the app. Stands alone.'),
      platform: Platform.optional(),
      userEmails: named(userEmail()).describe('Devices on which one of these is signed in.'),
      deviceTokens: named(deviceToken()),
      seenWithinDays: z.int().min(1).max(3_650).optional().describe('Devices that registered in so many days before.'),
    })
    .refine((given) => given.all === undefined || Object.keys(given).length === 1, {
      path: ['all'],
      error: 'stands alone: it would widen what else is given',
    })
    .refine((given) => Object.keys(given).length > 0, {
      error:
        'must say whom it is for: {"all": true}, or one or more of platform, userEmails, deviceTokens, seenWithinDays',
    })
    .describe('Whom it is for. Where more than one thing is given, all of them must hold.');

export const targetOf = (given: z.output<ReturnType<typeof pushTarget>>, hashes: Hashes): PushTarget => ({
  platform: given.platform ?? null,
  emails: given.userEmails ? distinct(given.userEmails.map(hashes.email)) : null,
  tokens: given.deviceTokens ? distinct(given.deviceTokens.map(hashOfToken)) : null,
  seenWithinDays: given.seenWithinDays ?? null,
});

const distinct = (hashes: readonly string[]): string[] => [...new Set(hashes)];
