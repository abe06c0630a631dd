import {
  BODY_LENGTH,
  COLLAPSE_KEY_BYTES,
  destination,
  InterruptionLevel,
  imageUrlOf,
  LONGEST_TTL_SECONDS,
  MOST_LANGUAGES,
  MOST_NAMED,
  Platform,
  type PushMessage,
  type PushMessageChange,
  PushPriority,
  type PushTarget,
  plainPush,
  TITLE_LENGTH,
  text,
} from '@landfall/contracts';
import { deviceToken, hashOfToken, languageTag, userEmail } from '@landfall/gateway';
import { ApiError, type Detail, type Hashes } from '@landfall/http';
import { z } from 'zod';
import { anyTime } from '../routes/manage-fields.ts';

const DATA_BYTES = 4_096;

export const scheduleAt = () => anyTime().describe('The time to send it, within a year. At once if omitted or past.');

export const ttlSeconds = () =>
  z
    .int()
    .min(0)
    .max(LONGEST_TTL_SECONDS)
    .describe(
      'Seconds for which the provider tries to deliver to a device that it cannot reach at once. Default: 28 days. Minimum: ten seconds.',
    );

const FURTHEST_MS = 366 * 86_400_000;

/** Throws 400 when the time is more than a year away. */
export function readScheduleAt(given: string, now: Date): string {
  const at = new Date(given);
  if (at.getTime() > now.getTime() + FURTHEST_MS)
    throw new ApiError('INVALID_REQUEST', [{ path: 'scheduleAt', message: 'must be within a year' }]);
  return at.toISOString();
}

const scalar = z.union([text(2_048), z.number(), z.boolean()], {
  error: 'must be a string of at most 2048 characters, a number or a boolean: nested values do not arrive',
});

const title = () => text(TITLE_LENGTH).min(1);
const body = () => text(BODY_LENGTH);
const imageUrl = () =>
  text(2_048)
    .transform((given, context) => {
      try {
        return imageUrlOf(given);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .meta({ format: 'uri', pattern: '^[hH][tT][tT][pP][sS]://' })
    .describe(
      'An https address of an image. Letters and signs are encoded. Firebase accepts no `//` and no `&` in its path, and no `_` in its host.',
    );
const sound = () => text(100).min(1).describe('`default`, or a sound of the app. If omitted: none.');
const badge = () =>
  z.int().min(0).max(99_999).describe("The number on the app's icon. 0 removes it. If omitted, it does not change.");
const priority = () =>
  PushPriority.describe('`normal` may wait until the device wakes up. Default: `high`, or `normal` for a silent push.');
const category = () => text(100).min(1).describe('The category of the app whose buttons an iPhone shows with it.');
const mutableContent = () =>
  z.boolean().describe("True: the app's extension may change it first on an iPhone. Default: true if it has an image.");

const texts = { title: title().optional(), body: body().optional() };
const ofPlatform = {
  ...texts,
  imageUrl: imageUrl().optional(),
  sound: sound().optional(),
  badge: badge().optional(),
  priority: priority().optional(),
};

const ios = () =>
  z
    .object({
      ...ofPlatform,
      category: category().optional(),
      mutableContent: mutableContent().optional(),
      interruptionLevel: InterruptionLevel.optional().describe(
        'One of the levels of Apple. `critical` needs an entitlement.',
      ),
    })
    .describe('Replaces the fields above on iPhones.');

const android = () =>
  z
    .object({
      ...ofPlatform,
      channelId: text(200).min(1).optional().describe("The app's notification channel on Android."),
    })
    .describe('Replaces the fields above on Android.');

const localized = () =>
  z
    .record(text(100), z.object(texts))
    .refine((given) => Object.keys(given).length <= MOST_LANGUAGES, {
      error: `must have at most ${MOST_LANGUAGES} languages`,
    })
    .superRefine((given, context) => {
      const tags = new Set<string>();
      for (const name of Object.keys(given)) {
        const tag = languageTag(name);
        const error =
          tag === null ? 'must be a language such as de or de-AT' : tags.has(tag) && 'is given in two spellings';
        if (error) context.addIssue({ code: 'custom', path: [name], message: error });
        if (tag !== null) tags.add(tag);
      }
    })
    .describe(
      'Texts by language (BCP 47). A device in `de-AT` shows those of `de-AT`, else of `de`, else those above. They take precedence over texts of a platform.',
    );

const metadata = () =>
  z
    .record(text(100).min(1), scalar)
    .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= DATA_BYTES, {
      error: `must be at most ${DATA_BYTES} bytes as JSON`,
    })
    .describe('A flat object: each value is a string, a number or a boolean.');

const collapseKey = () =>
  text(COLLAPSE_KEY_BYTES)
    .min(1)
    .refine((key) => Buffer.byteLength(key) <= COLLAPSE_KEY_BYTES, {
      error: `must be at most ${COLLAPSE_KEY_BYTES} bytes`,
    })
    .describe('Of several pushes with one key a device shows only the last.');

/** All fields of a push. Each use decides which of them are optional. */
const fields = {
  title: title(),
  body: body(),
  destinationPath: destination().describe(
    'The path that the app opens, with its query. Without it the public SDK opens `/`.',
  ),
  metadata: metadata(),
  imageUrl: imageUrl(),
  sound: sound(),
  badge: badge(),
  collapseKey: collapseKey(),
  priority: priority(),
  silent: z.boolean().describe('The app gets the data and shows nothing: texts and sounds are not sent.'),
  category: category(),
  mutableContent: mutableContent(),
  ios: ios(),
  android: android(),
  localized: localized(),
  test: z.boolean().describe('Marks it as a try in lists. Devices get it like any other.'),
};

export const pushFields = z
  .object(fields)
  .partial()
  .extend({
    title: title().optional().describe('A push that is not silent needs a title or a body.'),
    body: body().optional().describe('A push that is not silent needs a title or a body.'),
  }).shape;

export type PushGiven = z.output<z.ZodObject<typeof pushFields>>;

/** The rule of {@link missingIn} for the OpenAPI document. */
export const needsTexts = {
  anyOf: [
    { required: ['title'] },
    { required: ['body'], properties: { body: { type: 'string', minLength: 1 } } },
    { properties: { silent: { const: true } }, required: ['silent'] },
  ],
};

export const missingIn = ({ silent, title, body }: PushGiven): Detail[] =>
  silent || title || body ? [] : [{ path: 'title', message: 'or body is required, unless the push is silent' }];

const taken = <T extends z.ZodType>(field: T, how: string) => field.nullable().optional().describe(how);
const AWAY = 'Null removes it.';

/** The fields of an edit. Omitted fields do not change. */
export const pushChangeFields = {
  title: taken(fields.title, AWAY),
  body: taken(fields.body, AWAY),
  destinationPath: taken(fields.destinationPath, AWAY),
  metadata: taken(fields.metadata, `Replaces all of it. ${AWAY}`),
  imageUrl: taken(fields.imageUrl, AWAY),
  sound: taken(fields.sound, AWAY),
  badge: taken(fields.badge, 'Null: the number does not change.'),
  collapseKey: taken(fields.collapseKey, AWAY),
  priority: taken(fields.priority, 'Null: the default.'),
  silent: fields.silent.optional(),
  category: taken(fields.category, AWAY),
  mutableContent: taken(fields.mutableContent, 'Null: true if it has an image.'),
  ios: taken(fields.ios, `Replaces all fields for iPhones. ${AWAY}`),
  android: taken(fields.android, `Replaces all fields for Android. ${AWAY}`),
  localized: taken(fields.localized, `Replaces all languages. ${AWAY}`),
  test: fields.test.optional(),
};

const changeNames = Object.keys(pushChangeFields) as (keyof typeof pushChangeFields)[];

/** Returns the change. The body may have further fields. */
export function messageChangeOf(given: z.output<z.ZodObject<typeof pushChangeFields>>): PushMessageChange {
  const said = Object.fromEntries(
    changeNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
  for (const name of ['title', 'body']) if (said[name] === null) said[name] = '';
  if (said.metadata === null) said.metadata = {};
  if (given.localized !== undefined) said.localized = spelt(given.localized ?? {});
  return said;
}

const nothing = {
  title: '',
  body: '',
  destinationPath: null,
  metadata: {},
  imageUrl: null,
  sound: null,
  badge: null,
  collapseKey: null,
  ...plainPush,
};

/** Returns the message with all its fields, in the order in which the hash of a request reads them. */
export const messageOf = (given: PushGiven): PushMessage => ({ ...nothing, ...messageChangeOf(given) });

/** Returns each language in its normal spelling. */
const spelt = (given: NonNullable<PushGiven['localized']>): PushMessage['localized'] =>
  Object.fromEntries(Object.entries(given).map(([name, texts]) => [languageTag(name)!, texts]));

const named = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(MOST_NAMED).optional();

export const pushTarget = () =>
  z
    .object({
      all: z.literal(true).optional().describe('Every device of the app. No other field may be given.'),
      platform: Platform.optional(),
      userEmails: named(userEmail()).describe('Devices on which one of these users is signed in.'),
      deviceTokens: named(deviceToken()),
      seenWithinDays: z
        .int()
        .min(1)
        .max(3_650)
        .optional()
        .describe('Devices that registered within this number of days.'),
    })
    .refine((given) => given.all === undefined || Object.keys(given).length === 1, {
      path: ['all'],
      error: 'must be the only field: it would widen the others',
    })
    .refine((given) => Object.keys(given).length > 0, {
      error:
        'must name the devices: {"all": true}, or one or more of platform, userEmails, deviceTokens, seenWithinDays',
    })
    .describe('The audience. A device must match all given fields.')
    .meta({
      anyOf: [
        { required: ['all'], maxProperties: 1 },
        ...['platform', 'userEmails', 'deviceTokens', 'seenWithinDays'].map((name) => ({
          required: [name],
          properties: { all: false },
        })),
      ],
    });

export const targetOf = (given: z.output<ReturnType<typeof pushTarget>>, hashes: Hashes): PushTarget => ({
  platform: given.platform ?? null,
  emails: given.userEmails ? distinct(given.userEmails.map(hashes.email)) : null,
  tokens: given.deviceTokens ? distinct(given.deviceTokens.map(hashOfToken)) : null,
  seenWithinDays: given.seenWithinDays ?? null,
});

const distinct = (hashes: readonly string[]): string[] => [...new Set(hashes)];
