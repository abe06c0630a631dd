// Readable ids, hashes and times, and callers and taps with defaults, for the tests of this service.
import { createHash } from 'node:crypto';
import {
  type DataOf,
  type InputOf,
  type LinkClicked,
  MatchingSettings,
  type RecordHeartbeat,
  type RestoreLinks,
  type StorePendingLink,
} from '@landfall/contracts';
import { fromWhere } from './bytes.ts';
import type { Ask, PendingLink, Sighting } from './domain/candidate.ts';
import type { Device } from './domain/device.ts';
import { minutes } from './domain/time.ts';

export const id = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** Returns the hash that the gateway makes of personal data. */
export const hashOf = (personal: string): string => createHash('sha256').update(personal).digest('base64url');

export const APP = id(0xa);
export const HOME = hashOf('203.0.113.7');
export const SAFARI = hashOf('Safari');
export const CHROME = hashOf('Chrome');
export const SDK = hashOf('openlynk-flutter-sdk/0.1.0');

/**
 * Returns the matching settings of an app that had no users before. Other settings have their defaults unless they are
 * given.
 */
export const matching = (settings: Partial<MatchingSettings> = {}): MatchingSettings =>
  MatchingSettings.parse({ existingUsers: false, ...settings });

export const NOON = new Date('2026-11-15T12:00:00.000Z');
export const minutesAgo = (n: number): Date => new Date(NOON.getTime() - minutes(n));

/** A client that tells nothing of its phone, as the public one. */
const NOTHING_KNOWN = { model: null, osMajor: null, language: null, ipv6: null, site: null };

/** Returns the final restore request of a device at home, at noon. */
export const anAsk = (ask: Partial<Ask> = {}): Ask => ({
  id: id(1),
  now: NOON,
  appId: APP,
  token: null,
  email: null,
  fingerprint: hashOf('phone'),
  address: HOME,
  ...NOTHING_KNOWN,
  build: null,
  userAgent: SDK,
  from: () => fromWhere(HOME, SDK),
  platform: null,
  installedSecondsAgo: null,
  appCreatedAt: null,
  country: null,
  appVersion: null,
  matching: matching(),
  final: true,
  ...ask,
});

/** Returns a tap on an iPhone at home, one minute ago. */
export const aTap = (tap: Partial<PendingLink> = {}): PendingLink => ({
  id: id(0x100),
  appId: APP,
  linkId: id(0x1),
  kind: 'tap',
  originalUrl: 'https://demo.links.test/1',
  sealedUrl: null,
  tappedAt: minutesAgo(1),
  platform: 'ios',
  model: null,
  osMajor: null,
  builds: null,
  language: null,
  address: HOME,
  userAgent: SAFARI,
  email: null,
  fingerprint: null,
  others: 0,
  othersOfPlatform: null,
  othersAlike: null,
  archivedAt: null,
  expiresAt: null,
  closedBy: null,
  closedAt: null,
  ...tap,
});

/** Returns a device that was first seen at noon. */
export const aDevice = (device: Partial<Device> = {}): Device => ({
  appId: APP,
  device: hashOf('phone'),
  firstSeen: NOON,
  newSince: NOON,
  lastSeen: NOON,
  firstHeartbeatId: null,
  installedAt: null,
  activeHeartbeatId: null,
  lastHeartbeatId: null,
  lastHeartbeatAt: null,
  lastHeartbeatFrom: null,
  sharedAt: null,
  platform: null,
  returnedAt: null,
  awayDays: null,
  ...device,
});

/** Returns the sighting of a new device that is here for the first time and has sent no heartbeat. */
export const aSighting = (sighting: Partial<Sighting> = {}): Sighting => ({
  device: aDevice(),
  firstHereAt: NOON,
  lastHeartbeatAt: null,
  others: 0,
  newcomers: 0,
  newDevices: 0,
  rollout: null,
  crowd: false,
  given: [],
  tokenSpent: false,
  ...sighting,
});

/**
 * The messages: a tap on an iPhone at home, a stored link without an owner, and the restore and heartbeat of a new
 * phone there.
 */
export const clicked = (click: Partial<DataOf<typeof LinkClicked>> = {}): DataOf<typeof LinkClicked> => ({
  linkId: id(0x1),
  appId: APP,
  url: 'https://demo.links.test/1',
  sealedUrl: null,
  platform: 'ios',
  inApp: false,
  deferred: true,
  address: HOME,
  userAgent: SAFARI,
  target: 'store',
  via: 'link',
  country: null,
  referrer: null,
  browser: null,
  os: null,
  osVersion: null,
  model: null,
  builds: null,
  language: null,
  inAppBrowser: null,
  utm: null,
  utmOfLink: [],
  labels: {},
  ...click,
});

export const toStore = (link: Partial<InputOf<typeof StorePendingLink>> = {}): InputOf<typeof StorePendingLink> => ({
  appId: APP,
  linkId: id(0x1),
  originalUrl: null,
  email: null,
  fingerprint: null,
  address: HOME,
  userAgent: SDK,
  platform: null,
  ...NOTHING_KNOWN,
  ...link,
});

export const toRestore = (question: Partial<InputOf<typeof RestoreLinks>> = {}): InputOf<typeof RestoreLinks> => ({
  appId: APP,
  token: null,
  email: null,
  fingerprint: hashOf('phone'),
  address: HOME,
  userAgent: SDK,
  platform: null,
  ...NOTHING_KNOWN,
  build: null,
  installedSecondsAgo: null,
  appCreatedAt: null,
  country: null,
  appVersion: null,
  matching: matching(),
  final: true,
  ...question,
});

export const heartbeat = (beat: Partial<InputOf<typeof RecordHeartbeat>> = {}): InputOf<typeof RecordHeartbeat> => ({
  appId: APP,
  fingerprint: hashOf('phone'),
  address: HOME,
  platform: null,
  ...NOTHING_KNOWN,
  userAgent: SDK,
  country: null,
  appVersion: null,
  matching: matching(),
  ...beat,
});
