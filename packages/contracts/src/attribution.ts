// Messages of the attribution service: pending links, their matches, and the known devices of an app.
import { z } from 'zod';
import { appVersion, build, clientName, country, Platform, phone } from './client.ts';
import { eventsOf, requestsOf } from './define.ts';
import { complete, hash, instant, orNull, sealed, text, uuid } from './fields.ts';
import { MatchingSettings } from './matching.ts';

const { query, command } = requestsOf('attribution');
const { publicEvent } = eventsOf('attribution');

export const MatchType = z.enum(['token', 'email', 'fingerprint', 'address']);
export type MatchType = z.output<typeof MatchType>;

/** The known facts of a caller's phone and of its addresses. All personal data is a keyed hash. */
const phoneAndNetwork = {
  ...phone,
  /** The IPv6 address of the caller, when it called over IPv6 or proved one with an address token. */
  ipv6: orNull(hash()),
  /** The /48 of the caller, when it called over IPv6. */
  site: orNull(hash()),
};

const asker = {
  email: hash().nullable(),
  fingerprint: hash().nullable(),
  /** Null when the address does not belong to one person, for example behind an untrusted proxy. */
  address: hash().nullable(),
  userAgent: hash(),
  /** Null when neither the client nor its user agent names the platform. The user agent of an SDK does not name it. */
  platform: Platform.nullable(),
  ...phoneAndNetwork,
};

/** Spec 4.6. The id of the message becomes the id of the pending link. */
export const StorePendingLink = command('StorePendingLink', {
  description: 'Keeps a link for a person until they have installed the app.',
  input: z.object({ appId: uuid(), linkId: uuid(), originalUrl: text(4096).nullable(), ...asker }),
  reply: z.object({ pendingLinkId: uuid() }),
  key: (_, id) => id,
});

/** Spec 4.4. The id of the message becomes the id of the restore. */
export const RestoreLinks = command('RestoreLinks', {
  description: 'Gives a device the links that its person tapped before the install.',
  input: z.object({
    appId: uuid(),
    /** A token that names a tap. Its signature is checked. */
    token: z
      .object({
        tapId: uuid(),
        linkId: uuid(),
        tappedAt: instant(),
        /** The place where the client found the token. Left out: the install referrer. */
        from: z.enum(['referrer', 'clipboard']).optional(),
      })
      .nullable(),
    ...asker,
    /** The fingerprint again, as a hash to compare with those of taps. Null: another client than the public one asks. */
    build: orNull(build()),
    /** Seconds between the install and the restore. The client reports them. Null: the client reports none. */
    installedSecondsAgo: orNull(z.number().min(0)),
    country: country(),
    appVersion: appVersion(),
    /** Null in messages from versions without this field. */
    appCreatedAt: orNull(instant()),
    matching: complete(MatchingSettings),
    /**
     * The key, the client and the id of the request, and the names of its evidence, those of `SentEvidence`. No field in it has a
     * default: a message with one is checked also in one process. Null in messages from older versions.
     */
    caller: orNull(
      z.object({
        /** Null: the simulated app, which has no key. */
        keyId: uuid().nullable(),
        client: clientName(),
        sent: z.array(text(50)).max(20),
        requestId: text(100).optional(),
      }),
    ),
    /** False: the reply asks for the heartbeat of the same start, if it is missing and could change the answer. */
    final: z.boolean(),
  }),
  reply: z.object({
    /** Distinct links, at most 20. The oldest tap is first. */
    matches: z.array(
      z.object({
        pendingLinkId: uuid(),
        linkId: uuid(),
        originalUrl: text(4096).nullable(),
        /** Holds the tapped URL with its whole query when `originalUrl` lacks a part of it. */
        sealedUrl: orNull(sealed('tapped url')),
        matchType: MatchType,
        matchedAt: instant(),
      }),
    ),
    /** True when nothing is decided yet. The heartbeat must have time to arrive. Ask again with `final` after that. */
    awaitHeartbeat: z.boolean(),
  }),
  refusals: {
    /** Taps of the last seconds are not stored yet, so nothing is decided. Ask again after this number of seconds. */
    CATCHING_UP: z.object({ seconds: z.int().min(1) }),
  },
  key: (_, id) => id,
});
export type Match = z.output<typeof RestoreLinks.reply>['matches'][number];

/** The state of one version of a link. It decides whether a device can get the link. */
export const LinkState = z.object({
  linkId: uuid(),
  version: z.int(),
  archivedAt: instant().nullable(),
  expiresAt: instant().nullable(),
});
export type LinkState = z.output<typeof LinkState>;

export const ReleaseRestore = command('ReleaseRestore', {
  description: 'Releases a restore whose links could not be given to the device, so that its next start finds them.',
  input: z.object({
    restoreId: uuid(),
    /** Links of the restore that the sender found archived or expired, unknown to the attribution service. */
    gone: z.array(LinkState).max(20).default([]),
    /** True when the answer was lost. A repeated one may have arrived, so the restore is released when all are lost. */
    lost: z.boolean().default(false),
  }),
  reply: z.object({ released: z.boolean() }),
  key: (input) => input.restoreId,
});

const HeartbeatSettings = MatchingSettings.pick({ returningDeviceDays: true, sharedFingerprintMinutes: true });

/** Returns the settings that a heartbeat needs. */
export const settingsOfHeartbeat = (
  settings: z.output<typeof HeartbeatSettings>,
): z.output<typeof HeartbeatSettings> => ({
  returningDeviceDays: settings.returningDeviceDays,
  sharedFingerprintMinutes: settings.sharedFingerprintMinutes,
});

/** Spec 4.5. */
export const RecordHeartbeat = command('RecordHeartbeat', {
  description: 'Records an app start on a device, and returns whether it is the first.',
  input: z.object({
    appId: uuid(),
    fingerprint: hash(),
    address: hash().nullable(),
    /** Null when neither the client nor its user agent names the platform. */
    platform: orNull(Platform),
    ...phoneAndNetwork,
    /** Null in messages from versions without this field. */
    userAgent: orNull(hash()),
    country: country(),
    appVersion: appVersion(),
    matching: complete(HeartbeatSettings),
  }),
  reply: z.object({ isFirstLaunch: z.boolean() }),
  key: (input) => input.fingerprint,
});

/** The reason why a device got or did not get a pending link. */
export const Considered = z.object({
  pendingLinkId: uuid(),
  linkId: uuid(),
  tappedAt: instant(),
  matchType: MatchType,
  taken: z.boolean(),
  reason: text(300),
});
export type Considered = z.output<typeof Considered>;

/**
 * Why a restore gave what it gave. `untapped`: no link waited that could be for it. `refused`: a link waited, and was not
 * given. `lost`: the links did not reach the device, and its next start finds them.
 */
export const RestoreOutcome = z.enum([
  'referrer',
  'clipboard',
  'email',
  'fingerprint',
  'address',
  'untapped',
  'refused',
  'lost',
]);
export type RestoreOutcome = z.output<typeof RestoreOutcome>;

export const CheckDevice = query('CheckDevice', {
  description:
    'Tells when a device sent its last heartbeat and its last restore, and what this restore gave. Whoever knows the fingerprint may ask, so it tells nothing of others.',
  input: z.object({ appId: uuid(), device: hash() }),
  reply: z.object({
    heartbeatAt: instant().nullable(),
    /** Null also when several phones have the fingerprint: then it is no secret, and the restore may be another's. */
    restore: z.object({ at: instant(), found: z.int().min(0), outcome: RestoreOutcome }).nullable(),
  }),
  key: (input) => input.device,
});

/** The most users that are told of a device. A phone in a shop may have many. */
export const MOST_USERS = 5;

export const FindInstall = query('FindInstall', {
  description: 'Finds a device of an app, as attribution knows it: its install, its starts, and its latest users.',
  input: z.object({ appId: uuid(), device: hash() }),
  reply: z.object({
    platform: Platform.nullable(),
    firstSeen: instant(),
    /** The time of the first heartbeat. Null: none came. */
    installedAt: instant().nullable(),
    /** The time when it came back after it was away for long. Null: it was not. */
    returnedAt: instant().nullable(),
    lastSeen: instant(),
    lastHeartbeatAt: instant().nullable(),
    /** True when several phones have its fingerprint: then its starts are those of several people. */
    isShared: z.boolean(),
    /** Hashes of the users whom its restores named in the last days. */
    users: z.array(hash()).max(MOST_USERS),
  }),
  refusals: { DEVICE_NOT_FOUND: z.object({}) },
  key: (input) => input.device,
});

/** Why devices that look new may belong to older users: the app is new here, or many of its devices are new. */
export const Rollout = z.object({
  reason: z.enum(['young', 'manyNewDevices']),
  /** The rollout ends at this time at the latest. Null: the rollout ends only when fewer devices are new. */
  until: instant().nullable(),
});
export type Rollout = z.output<typeof Rollout>;

export const MOST_NAMED_DEVICES = 100;

export const NameDevices = query('NameDevices', {
  description: 'Finds devices by the first half of their hash. Devices that are not known are left out.',
  input: z.object({ appId: uuid(), halves: z.array(z.guid()).max(MOST_NAMED_DEVICES) }),
  reply: z.object({ devices: z.array(z.object({ half: z.guid(), device: hash() })) }),
  key: (input) => input.appId,
});

export const DescribeRollout = query('DescribeRollout', {
  description:
    'Checks whether devices of an app that look new may belong to older users, and counts its devices of the last 24 hours.',
  input: z.object({ appId: uuid(), appCreatedAt: instant(), existingUsers: z.boolean() }),
  reply: z.object({
    rollout: Rollout.nullable(),
    devices: z.object({
      /** The number of devices on which the app was started. */
      seen: z.int().min(0),
      firstSeen: z.int().min(0),
    }),
  }),
  key: (input) => input.appId,
});

const appId = () => uuid().describe('The app.');
/** The client's statements about itself, in each event of a device. */
const told = {
  platform: orNull(Platform).describe('The platform of the device. Null: the client does not name it.'),
  country: country(),
  appVersion: appVersion(),
};
const device = () => hash().describe("A keyed hash of the client's fingerprint of the device.");

export const DeviceInstalled = publicEvent('DeviceInstalled', {
  description: 'An app started on a device for the first time: an install. Sent once for an app and a device.',
  topic: 'device.installed',
  data: z.object({ appId: appId(), device: device(), ...told }),
  key: (data) => data.device,
});

export const DeviceActive = publicEvent('DeviceActive', {
  description:
    'An app started on a device that had installed it before. Sent at most once for each day since the install, a day being 24 hours.',
  topic: 'device.active',
  data: z.object({
    appId: appId(),
    device: device(),
    installedAt: instant().describe('The time of the install.'),
    day: z.int().min(1).describe('The number of whole days since the install.'),
    ...told,
  }),
  key: (data) => data.device,
});

export const LinksRestored = publicEvent('LinksRestored', {
  description:
    'After an install a device got the links that its person had tapped before. A repeated answer is not sent again. Links that did not reach the device are released, and sent with the next restore.',
  topic: 'links.restored',
  data: z.object({
    restoreId: uuid().describe('The id of the restore.'),
    appId: appId(),
    device: orNull(device()).describe('The device, as in `device.installed`. Null when the app sent no fingerprint.'),
    matchType: MatchType.describe('The common key of the device and the taps.'),
    links: complete(
      z
        .array(
          z.object({
            linkId: uuid().describe('The link.'),
            pendingLinkId: uuid().describe(
              'The id of the pending link: the `ce_id` of the click, or the id in the answer of `store`.',
            ),
            tappedAt: orNull(instant()).describe(
              'The time of the tap, or of `store`. Null in events of older versions.',
            ),
          }),
        )
        .describe('The links, oldest tap first.'),
    ),
    ...told,
  }),
  key: (data) => data.restoreId,
});
