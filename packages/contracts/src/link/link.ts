// A link, and the fields that people give it.
import { z } from 'zod';
import { Actor } from '../account/index.ts';
import { instant, metadata, text, uuid } from '../fields.ts';

export const NAME_LENGTH = 100;
export const NOTE_LENGTH = 1_000;
export const URL_LENGTH = 2_048;
export const TAG_LENGTH = 50;
/** The most tags of one link. */
export const MAX_LINK_TAGS = 20;
/** The most different tags of one app. */
export const MAX_APP_TAGS = 500;

/** In small letters, so that no two tags differ in capitals only. No comma: it parts tags in a file. */
export const tag = () =>
  text(TAG_LENGTH)
    .regex(/^[^\s,](?:[^,]*[^\s,])?$/, 'must not be blank, and must have no comma and no blank at its ends')
    .refine((given) => given === given.toLowerCase(), { error: 'must be in small letters' });

/** A page that stands in for one of the app's. */
const page = () => text(URL_LENGTH).regex(/^https:\/\/[^\s]+$/i, 'must be an https URL');

/**
 * What people give a link besides its destination. Every field may be missing: services of the version before send and
 * read links, too. Null or missing: there is none.
 */
export const linkFields = {
  name: text(NAME_LENGTH).nullish(),
  /** For the team only. It is in no event, and no app gets it. */
  note: text(NOTE_LENGTH).nullish(),
  tags: z.array(tag()).max(MAX_LINK_TAGS).optional(),
  /** Opens instead of the web page of the app, without the destination. */
  webUrl: page().nullish(),
  /** Opens instead of the app's page in the App Store. */
  iosUrl: page().nullish(),
  /** Opens instead of the app's page in Google Play. */
  androidUrl: page().nullish(),
  /** Opens when the link has expired. */
  expiredUrl: page().nullish(),
};
export type LinkFields = { [K in keyof typeof linkFields]?: z.output<(typeof linkFields)[K]> };

/** Who made a link through the management API. */
export const Maker = Actor.pick({ kind: true, userId: true });
export type Maker = z.output<typeof Maker>;

export const Link = z.object({
  id: uuid(),
  appId: uuid(),
  /** `{milliseconds}-{random}`, a short one, or one that its maker chose. Unique in the app. */
  slug: text(100),
  destination: text(2048),
  /** The metadata from the creator, without the keys that the service adds. */
  metadata: metadata(),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  archivedAt: instant().nullable(),
  version: z.int(),
  ...linkFields,
  /** Null or missing: an SDK or server key made it. */
  madeBy: Maker.nullish(),
});
export type Link = z.output<typeof Link>;

/**
 * A slug that somebody chose. Capitals stay only in imported ones: printed links have them. It does not look like a slug
 * that the service makes.
 */
export const chosenSlug = () =>
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{1,63}$/,
      'must be 2 to 64 letters, digits, "-" and "_", and begin with a letter or digit',
    )
    .regex(/^(?!\d{13}-)/, 'must not begin with 13 digits and "-": slugs that Landfall makes look so');

/** Without characters that look alike. */
export const SHORT_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
export const SHORT_LENGTH = 7;
export const shortSlug = () =>
  z.string().regex(/^[2-9a-hjkmnp-z]{7}$/, 'must be seven digits and small letters that do not look alike');
