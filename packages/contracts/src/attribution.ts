// The attribution service: pending links, who gets them, which devices an app has met.
import { z } from 'zod';
import { event, request } from './define.ts';
import { cursor, hash, instant, page, sealed, text, uuid } from './fields.ts';
import { MatchingSettings } from './matching.ts';

const queries = 'attribution.queries';
const commands = 'attribution.commands';

export const Platform = z.enum(['ios', 'android']);
export type Platform = z.output<typeof Platform>;

export const MatchType = z.enum(['token', 'email', 'fingerprint', 'address']);
export type MatchType = z.output<typeof MatchType>;

/** Who asks, as far as the request says. Everything personal is a keyed hash. */
const asker = {
  email: hash().nullable(),
  fingerprint: hash().nullable(),
  /** Null when the address is not one person's (an untrusted proxy). */
  address: hash().nullable(),
  userAgent: hash(),
  /** Null when neither the client nor its user agent says (an SDK's does not). */
  platform: Platform.nullable(),
};

/** Spec 4.6. The message's id becomes the pending link's. */
export const StorePendingLink = request({
  kind: 'command',
  name: 'StorePendingLink',
  description: 'Keeps a link for a person until they have installed the app.',
  topic: commands,
  input: z.object({ appId: uuid(), linkId: uuid(), originalUrl: text(4096).nullable(), ...asker }),
  reply: z.object({ pendingLinkId: uuid() }),
  refusals: {},
  key: (_, id) => id,
});

/** Spec 4.4. The message's id names the restore. */
export const RestoreLinks = request({
  kind: 'command',
  name: 'RestoreLinks',
  description: 'Gives a device the links that its person had tapped before the install.',
  topic: commands,
  input: z.object({
    appId: uuid(),
    /** What an install referrer said, its signature checked. */
    token: z.object({ tapId: uuid(), linkId: uuid(), tappedAt: instant() }).nullable(),
    ...asker,
    /** How long before the restore the app was installed, as the client says. Null: it does not say. */
    installedSecondsAgo: z.number().min(0).nullable().default(null),
    /** Null in messages of versions that did not say it. */
    appCreatedAt: instant().nullable().default(null),
    matching: MatchingSettings,
    /** False: if a heartbeat of the same start could change the answer and has not come, say so instead. */
    final: z.boolean(),
  }),
  reply: z.object({
    /** Oldest tap first, distinct links, at most 20. */
    matches: z.array(
      z.object({
        pendingLinkId: uuid(),
        linkId: uuid(),
        originalUrl: text(4096).nullable(),
        /** The tapped URL with all of its query, where `originalUrl` is not all of it. */
        sealedUrl: sealed('tapped url').nullable().default(null),
        matchType: MatchType,
        matchedAt: instant(),
      }),
    ),
    /** Nothing was decided: ask once more, `final`, when the heartbeat has had time to come. */
    awaitHeartbeat: z.boolean(),
  }),
  refusals: {
    /** Taps of the last seconds are not stored yet. Nothing was decided: ask again after so many seconds. */
    CATCHING_UP: z.object({ seconds: z.int().min(1) }),
  },
  key: (_, id) => id,
});
export type Match = z.output<typeof RestoreLinks.reply>['matches'][number];

/** Whether a link can be given to somebody, as of one of its versions. */
export const LinkState = z.object({
  linkId: uuid(),
  version: z.int(),
  archivedAt: instant().nullable(),
  expiresAt: instant().nullable(),
});
export type LinkState = z.output<typeof LinkState>;

export const ReleaseRestore = request({
  kind: 'command',
  name: 'ReleaseRestore',
  description: 'Takes a restore back whose links could not be given to the device, so that its next start finds them.',
  topic: commands,
  input: z.object({
    restoreId: uuid(),
    /** Links of it that the asker found archived or expired: attribution had not heard of that. */
    gone: z.array(LinkState).max(20).default([]),
    /** The answer did not come to who asked. Others that gave it again may have: only when all of them are lost is it taken back. */
    lost: z.boolean().default(false),
  }),
  reply: z.object({ released: z.boolean() }),
  refusals: {},
  key: (input) => input.restoreId,
});

/** Spec 4.5. */
export const RecordHeartbeat = request({
  kind: 'command',
  name: 'RecordHeartbeat',
  description: 'An app started on a device: is it for the first time?',
  topic: commands,
  input: z.object({
    appId: uuid(),
    fingerprint: hash(),
    address: hash().nullable(),
    /** Null when neither the client nor its user agent says. */
    platform: Platform.nullable().default(null),
    /** Null in messages of versions that did not say it. */
    userAgent: hash().nullable().default(null),
    matching: MatchingSettings.pick({ returningDeviceDays: true, sharedFingerprintMinutes: true }),
  }),
  reply: z.object({ isFirstLaunch: z.boolean() }),
  refusals: {},
  key: (input) => input.fingerprint,
});

/** Why a pending link was given or not. */
export const Considered = z.object({
  pendingLinkId: uuid(),
  linkId: uuid(),
  tappedAt: instant(),
  matchType: MatchType,
  taken: z.boolean(),
  reason: text(300),
});
export type Considered = z.output<typeof Considered>;

export const ListRestores = request({
  kind: 'query',
  name: 'ListRestores',
  description: 'The decisions of the restores of an app, latest first, with their reasons.',
  topic: queries,
  input: z.object({ appId: uuid(), ...page }),
  reply: z.object({
    restores: z.array(
      z.object({
        id: uuid(),
        at: instant(),
        matchType: MatchType.nullable(),
        /** The decision as one sentence. */
        summary: text(500),
        considered: z.array(Considered),
        releasedAt: instant().nullable(),
      }),
    ),
    next: cursor().nullable(),
  }),
  refusals: {},
  key: (input) => input.appId,
});

/** Why devices that look new may have had the app for long: it is young here, or many of its devices are new. */
export const Rollout = z.object({
  reason: z.enum(['young', 'manyNewDevices']),
  /** When it ends at the latest; null: not before fewer devices are new. */
  until: instant().nullable(),
});
export type Rollout = z.output<typeof Rollout>;

export const DescribeRollout = request({
  kind: 'query',
  name: 'DescribeRollout',
  description:
    'Whether devices of an app that look new may be those of older users, and how many devices were seen in the last 24 hours.',
  topic: queries,
  input: z.object({ appId: uuid(), appCreatedAt: instant(), existingUsers: z.boolean() }),
  reply: z.object({
    rollout: Rollout.nullable(),
    devices: z.object({
      /** Devices that the app was started on. */
      seen: z.int().min(0),
      /** Those of them that had never been seen before. */
      firstSeen: z.int().min(0),
    }),
  }),
  refusals: {},
  key: (input) => input.appId,
});

const appId = () => uuid().describe('The app.');
const device = () => hash().describe('A keyed hash of the fingerprint that the client made of the device.');

export const DeviceInstalled = event({
  name: 'DeviceInstalled',
  description: 'An app started on a device for the first time: an install. Told once for an app and a device.',
  audience: 'public',
  producer: 'attribution',
  topic: 'device.installed',
  data: z.object({ appId: appId(), device: device() }),
  key: (data) => data.device,
});

export const LinksRestored = event({
  name: 'LinksRestored',
  description:
    'A device got back, after an install, the links that its person had tapped before. An answer that is given again is not told again; what did not reach the device is taken back, and told with the next restore.',
  audience: 'public',
  producer: 'attribution',
  topic: 'links.restored',
  data: z.object({
    restoreId: uuid().describe('Names the restore.'),
    appId: appId(),
    device: device()
      .nullable()
      .default(null)
      .describe('The device, as in `device.installed`. Null when the app gave no fingerprint of it.'),
    matchType: MatchType.describe('What the device and the taps had in common.'),
    links: z
      .array(
        z.object({
          linkId: uuid().describe('The link.'),
          pendingLinkId: uuid().describe(
            'What had waited for the install: the `ce_id` of the click, or the id that `store` answered with.',
          ),
        }),
      )
      .describe('The links, oldest tap first.'),
  }),
  key: (data) => data.restoreId,
});
