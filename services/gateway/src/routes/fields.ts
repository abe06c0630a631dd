// Fields that several routes take or give.
import { Platform, text } from '@landfall/contracts';
import { z } from 'zod';

/** The limit of a body with many links, users or devices, in bytes. */
export const LARGE_BODY_BYTES = 1_048_576;

/** Any non-blank string; apps also use user ids. */
export const userEmail = () => text(320).regex(/\S/, 'must not be blank').describe('Email, or any other id of a user.');

/** Checked where the app's `identity` says so. */
export const identityToken = () =>
  text(4096).describe(
    "A JWT (HS256) of the app's backend that says who the user is: `sub` is the `userEmail`, `exp` within 24 hours. Not looked at where the app's `identity` is `off`.",
  );

export const deviceFingerprint = () => text(512).min(1).describe('Made by the client.');

export const clientPlatform = () =>
  Platform.optional().describe('The platform that the client runs on. Without it the user agent tells, where it can.');

const TEN_YEARS = 10 * 365 * 24 * 60 * 60;

/** A phone whose clock was set back says less than 0. It still gets what it gets without the field. */
export const installedSecondsAgo = () =>
  z
    .number()
    .nullish()
    .transform((given) => (given != null && given >= 0 && given <= TEN_YEARS ? given : undefined))
    .describe(
      'How long ago the app was installed, in seconds: a duration, so that no clock is trusted. Android: now minus `PackageInfo.firstInstallTime`. iOS: now minus the creation of the app’s container. A value below 0 or above ten years counts as left out. With it a device is new if the app was installed after the tap, and less than `matching.newDeviceMinutes` ago.',
    );

/**
 * Makes a field optional. `null` and `""` mean "not given": clients send them for missing values.
 * @param schema zod's, which does not know this rule
 */
export function orNothing<T>(schema: z.ZodType<T>) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return z
    .unknown()
    .optional()
    .transform((given): unknown => (given === null || given === '' ? undefined : given))
    .pipe(schema.optional() as z.ZodType<T | undefined, unknown>)
    .meta({
      anyOf: [json, { const: '' }, { type: 'null' }],
      ...(json.description && { description: json.description }),
    });
}

/** SDKs send the app's id in bodies. It is tolerated and never trusted: the app is the key's. */
export const tolerated = { appId: z.unknown().optional().describe('Ignored: the app is the one of the key.') };

const object = () => z.record(z.string(), z.unknown());

export const createdLink = z.object({
  id: z.uuid(),
  slug: z.string(),
  url: z.string(),
  destination: z.string(),
  metadata: object(),
});

export const resolvedLink = z.object({
  id: z.uuid(),
  slug: z.string(),
  destination_web_url: z.string(),
  destination_path: z.string(),
  destination: z.string(),
  parameters: object(),
  metadata: object(),
});

/** Both spellings: the specification's and the one that the public SDK reads. */
export const restoredLink = z.object({
  pendingLinkId: z.string(),
  pending_link_id: z.string(),
  originalUrl: z.string(),
  original_url: z.string(),
  destination_url: z.string(),
  destination: z.string(),
  destination_path: z.string(),
  metadata: object(),
  parameters: object(),
  linkId: z.uuid(),
  link_id: z.uuid(),
  matchType: z.enum(['token', 'email', 'fingerprint', 'address']),
  matchedAt: z.string(),
});
