// Fields that several routes share.
import { text } from '@landfall/contracts';
import { z } from 'zod';

/** The limit of a body with many links, users or devices, in bytes. */
export const LARGE_BODY_BYTES = 1_048_576;

/** Checked when the app's `identity` requires it. */
export const identityToken = () =>
  text(4096).describe(
    "A JWT (HS256) of the app's backend that identifies the user: `sub` is the `userEmail`, `exp` is within 24 hours. Ignored when the app's `identity` is `off`.",
  );

export const deviceFingerprint = () => text(512).min(1).describe('An id that the client makes.');

const TEN_YEARS = 10 * 365 * 24 * 60 * 60;

/** A phone whose clock was set back sends a value below 0. It counts as left out. */
export const installedSecondsAgo = () =>
  z
    .number()
    .optional()
    .transform((given) => (given !== undefined && given >= 0 && given <= TEN_YEARS ? given : undefined))
    .describe(
      'Seconds since the app was installed. It is a duration, so that no clock is trusted. Android: now minus `PackageInfo.firstInstallTime`. iOS: now minus the creation time of the app’s container. A value below 0 or above ten years counts as omitted. With this field a device is new if the app was installed after the tap, and less than `matching.newDeviceMinutes` ago.',
    );

/** SDKs send the app's id in bodies. It is accepted and ignored: the key decides the app. */
export const tolerated = { appId: z.unknown().optional().describe('Ignored. The key decides the app.') };

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

/** It has both spellings: the specification's, and the one that the public SDK reads. */
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
