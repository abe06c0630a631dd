// The facts of each public event.
import type { Message } from '@landfall/bus';
import type {
  DataOf,
  DeviceActive,
  DeviceInstalled,
  EventDef,
  FixedDimension,
  LinkClicked,
  LinkCreated,
  LinkOpened,
  LinksRestored,
  PushOpened,
  PushRegistered,
  PushSent,
  UtmName,
} from '@landfall/contracts';
import { type Fact, fact, kinds } from './fact.ts';

type Of<E extends EventDef> = Message<DataOf<E>>;

const MINUTE_MS = 60_000;

const labelsOrNull = (labels: Record<string, string>) => (Object.keys(labels).length === 0 ? null : labels);

/** The first half of a hash as a UUID: 128 bits are enough to tell devices apart, and half as long. */
const halfOf = (hash: string): string => {
  const hex = Buffer.from(hash, 'base64url').toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const told = ({ context }: Message<unknown>) => ({ at: context.now, id: context.id });

export const clicked = (message: Of<typeof LinkClicked>): Fact[] => {
  const { data } = message;
  const { utm } = data;
  return [
    fact({
      ...told(message),
      kind: kinds.click,
      appId: data.appId,
      linkId: data.linkId,
      visitorKey: `${data.address ?? ''} ${data.userAgent}`,
      toStore: data.target === 'store',
      country: data.country,
      platform: data.platform,
      os: data.os,
      osVersion: data.osVersion,
      browser: data.browser,
      language: data.language,
      referrer: data.referrer,
      inAppBrowser: data.inAppBrowser,
      via: data.via,
      utmSource: utm?.source ?? null,
      utmMedium: utm?.medium ?? null,
      utmCampaign: utm?.campaign ?? null,
      utmTerm: utm?.term ?? null,
      utmContent: utm?.content ?? null,
      labels: labelsOrNull(data.labels),
      valuesOfLink: data.utmOfLink.map((name) => utmDimensions[name]),
    }),
  ];
};

const utmDimensions = {
  source: 'utmSource',
  medium: 'utmMedium',
  campaign: 'utmCampaign',
  term: 'utmTerm',
  content: 'utmContent',
} as const satisfies Record<UtmName, FixedDimension>;

/** Openings of one link from one address in one minute have one id. They also need one time to be one row. */
export const opened = (message: Of<typeof LinkOpened>): Fact[] => {
  const { data, context } = message;
  return [
    fact({
      id: context.id,
      at: new Date(Math.floor(context.now.getTime() / MINUTE_MS) * MINUTE_MS),
      kind: kinds.open,
      appId: data.appId,
      linkId: data.linkId,
      platform: data.platform,
      country: data.country,
      appVersion: data.appVersion,
      labels: labelsOrNull(data.labels),
    }),
  ];
};

export const created = (message: Of<typeof LinkCreated>): Fact[] => {
  const { appId, linkId, labels } = message.data;
  return [fact({ ...told(message), kind: kinds.linkCreated, appId, linkId, labels: labelsOrNull(labels) })];
};

export const installed = (message: Of<typeof DeviceInstalled>): Fact[] => {
  const { appId, device, platform, country, appVersion } = message.data;
  return [
    fact({ ...told(message), kind: kinds.install, appId, device: halfOf(device), platform, country, appVersion }),
  ];
};

export const active = (message: Of<typeof DeviceActive>): Fact[] => {
  const { appId, device, installedAt, day, platform, country, appVersion } = message.data;
  return [
    fact({
      ...told(message),
      kind: kinds.active,
      appId,
      device: halfOf(device),
      installedAt: new Date(installedAt),
      installDay: Math.min(day, 32_767),
      platform,
      country,
      appVersion,
    }),
  ];
};

/** One fact for each link. The link that was tapped last is the last one. */
export const restored = (message: Of<typeof LinksRestored>): Fact[] => {
  const { appId, device, matchType, links, platform, country, appVersion } = message.data;
  return links.map(({ linkId, pendingLinkId, tappedAt }) =>
    fact({
      at: message.context.now,
      id: message.context.idFor(pendingLinkId),
      kind: kinds.restore,
      appId,
      linkId,
      clickId: pendingLinkId,
      clickedAt: tappedAt === null ? null : new Date(tappedAt),
      device: device === null ? null : halfOf(device),
      matchType,
      platform,
      country,
      appVersion,
    }),
  );
};

export const registered = (message: Of<typeof PushRegistered>): Fact[] => {
  const { appId, deviceId: device, platform, country, appVersion } = message.data;
  return [fact({ ...told(message), kind: kinds.registration, appId, device, platform, country, appVersion })];
};

export const pushSent = (message: Of<typeof PushSent>): Fact[] => {
  const { appId, deviceId: device, platform } = message.data;
  return [fact({ ...told(message), kind: kinds.pushSent, appId, device, platform })];
};

export const pushOpened = (message: Of<typeof PushOpened>): Fact[] => {
  const { appId, deviceId: device, platform, country, appVersion } = message.data;
  // Of an older version. Anybody can report any number of opens without a device.
  if (device === null) return [];
  return [fact({ ...told(message), kind: kinds.pushOpened, appId, device, platform, country, appVersion })];
};
