// Readable ids, hashes and times, and callers and taps with defaults, for the tests of this service.
import { hash } from 'node:crypto';
import { LinkClicked, MatchingSettings, RecordHeartbeat, RestoreLinks, StorePendingLink } from '@landfall/contracts';
import type { Ask, PendingLink, Sighting } from './domain/candidate.ts';
import { type Device, firstMet } from './domain/device.ts';
import { decide } from './domain/match.ts';
import { minutes } from './domain/time.ts';
import { fromWhere } from './hashes.ts';

export const id = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** Returns the hash that the gateway makes of personal data. */
export const hashOf = (personal: string): string => hash('sha256', personal, 'base64url');

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

/**
 * The messages: a tap on an iPhone at home, a stored link without an owner, and the restore and heartbeat of a new phone
 * there, of a client that tells nothing of it, as the public one.
 */
const CLICK = LinkClicked.data.parse({
  linkId: id(0x1),
  appId: APP,
  url: 'https://demo.links.test/1',
  platform: 'ios',
  inApp: false,
  deferred: true,
  address: HOME,
  userAgent: SAFARI,
  target: 'store',
});
const PHONE = { appId: APP, fingerprint: hashOf('phone'), address: HOME, userAgent: SDK, platform: null };
const RESTORE = RestoreLinks.input.parse({ ...PHONE, token: null, email: null, matching: matching(), final: true });
const HEARTBEAT = RecordHeartbeat.input.parse({ ...PHONE, matching: matching() });
const STORE = StorePendingLink.input.parse({
  ...PHONE,
  linkId: id(0x1),
  originalUrl: null,
  email: null,
  fingerprint: null,
});

export const clicked = (click: Partial<typeof CLICK> = {}) => ({ ...CLICK, ...click });
export const toStore = (link: Partial<typeof STORE> = {}) => ({ ...STORE, ...link });
export const toRestore = (question: Partial<typeof RESTORE> = {}) => ({ ...RESTORE, ...question });
export const heartbeat = (beat: Partial<typeof HEARTBEAT> = {}) => ({ ...HEARTBEAT, ...beat });

/** Returns the final restore request of a device at home, at noon. */
export const anAsk = (ask: Partial<Ask> = {}): Ask => ({
  ...RESTORE,
  id: id(1),
  now: NOON,
  from: () => fromWhere(HOME, SDK),
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
  ...firstMet(APP, hashOf('phone'), NOON),
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

/** Returns the given links as `type: links`, or the reasons why there are none. */
export function outcome(rows: readonly PendingLink[], ask = anAsk(), sighting = aSighting()): string {
  const { matchType, matches, verdicts } = decide(ask, rows, sighting);
  if (matchType === null) return [...new Set(verdicts.map((verdict) => verdict.reason))].join('; ');
  return `${matchType}: ${matches.map((match) => Number.parseInt(match.linkId.slice(-4), 16))}`;
}

/** Returns the outcome with one tap, which is on link 1. */
export const outcomeOfOne = (tap: Partial<PendingLink>, sighting: Partial<Sighting>, ask: Partial<Ask> = {}): string =>
  outcome([aTap(tap)], anAsk(ask), aSighting(sighting));
export const GIVEN = 'address: 1';

/** The reason why nothing is given where two links were tapped. */
export const UNCLEAR = '2 different links were tapped at this network address, so nobody can tell which one is meant';
