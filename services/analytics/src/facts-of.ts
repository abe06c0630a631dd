// The facts of each public event.
import type { Message } from '@landfall/bus';
import {
  type DataOf,
  DeviceActive,
  DeviceInstalled,
  type EventDef,
  type FixedDimension,
  LinkClicked,
  LinkCreated,
  LinkOpened,
  LinksRestored,
  PushOpened,
  PushRegistered,
  PushSent,
  type UtmName,
  utmNames,
} from '@landfall/contracts';
import { type Fact, fact, type Kind, kinds } from './domain/fact.ts';

type Of<E extends EventDef> = Message<DataOf<E>>;
export type FactsOf = (message: Message<never>) => Fact[];

/** An event that is not counted has none. */
export const factsOfEvent = (event: EventDef, message: Message<never>): Fact[] =>
  factsOf.find(([{ name }]) => name === event.name)?.[1](message) ?? [];

const MINUTE_MS = 60_000;

/** The first half of a hash as a UUID: 128 bits are enough to tell devices apart, and half as long. */
const halfOf = (hash: string): string => {
  const hex = Buffer.from(hash, 'base64url').toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Several events have in common: the link, and the client's statements about itself. */
type Common = Partial<Pick<Fact, 'linkId' | 'platform' | 'country' | 'appVersion'>> & {
  appId: string;
  labels?: Record<string, string>;
};

function common({ data, context }: Message<Common>, kind: Kind) {
  const { appId, linkId = null, platform = null, country = null, appVersion = null, labels = {} } = data;
  const { now: at, id } = context;
  const given = Object.keys(labels).length === 0 ? null : labels;
  return { at, id, kind, appId, linkId, platform, country, appVersion, labels: given };
}

const clicked = (message: Of<typeof LinkClicked>): Fact[] => {
  const { data } = message;
  const { os, osVersion, browser, language, referrer, inAppBrowser, via } = data;
  const seen = { os, osVersion, browser, language, referrer, inAppBrowser, via };
  return [
    fact({
      ...common(message, kinds.click),
      ...seen,
      visitorKey: `${data.address ?? ''} ${data.userAgent}`,
      toStore: data.target === 'store',
      target: data.target,
      ...utmFacts(data.utm, data.utmOfLink),
    }),
  ];
};

/** @param ofLink the values that are those of the link */
const utmFacts = (utm: DataOf<typeof LinkClicked>['utm'], ofLink: readonly UtmName[]) => ({
  utmSource: utm?.source ?? null,
  utmMedium: utm?.medium ?? null,
  utmCampaign: utm?.campaign ?? null,
  utmTerm: utm?.term ?? null,
  utmContent: utm?.content ?? null,
  valuesOfLink: ofLink.map((name) => utmDimensions[name]),
});

const utmDimensions = {
  source: 'utmSource',
  medium: 'utmMedium',
  campaign: 'utmCampaign',
  term: 'utmTerm',
  content: 'utmContent',
} as const satisfies Record<UtmName, FixedDimension>;

/** Openings of one link from one address in one minute have one id. They also need one time to be one row. */
const opened = (message: Of<typeof LinkOpened>): Fact[] => {
  const at = new Date(Math.floor(message.context.now.getTime() / MINUTE_MS) * MINUTE_MS);
  const { utm } = message.data;
  const ofLink = utmNames.filter((name) => (utm?.[name] ?? null) !== null);
  return [fact({ ...common(message, kinds.open), at, ...utmFacts(utm, ofLink) })];
};

const created = (message: Of<typeof LinkCreated>): Fact[] => [fact(common(message, kinds.linkCreated))];

const installed = (message: Of<typeof DeviceInstalled>): Fact[] => [
  fact({ ...common(message, kinds.install), device: halfOf(message.data.device) }),
];

const active = (message: Of<typeof DeviceActive>): Fact[] => {
  const { device, installedAt, day } = message.data;
  return [
    fact({
      ...common(message, kinds.active),
      device: halfOf(device),
      installedAt: new Date(installedAt),
      installDay: Math.min(day, 32_767),
    }),
  ];
};

/** One fact for each link. The link that was tapped last is the last one. */
const restored = (message: Of<typeof LinksRestored>): Fact[] => {
  const { device, matchType, links } = message.data;
  return links.map(({ linkId, pendingLinkId, tappedAt }) =>
    fact({
      ...common(message, kinds.restore),
      id: message.context.idFor(pendingLinkId),
      linkId,
      clickId: pendingLinkId,
      clickedAt: tappedAt === null ? null : new Date(tappedAt),
      device: device === null ? null : halfOf(device),
      matchType,
    }),
  );
};

/** An opened push of an older version has no device: anybody can report any number of those. */
const ofPush =
  (kind: Kind) =>
  (message: Of<typeof PushRegistered | typeof PushSent | typeof PushOpened>): Fact[] => {
    const { deviceId: device } = message.data;
    return device === null ? [] : [fact({ ...common(message, kind), device })];
  };

/** The events that are counted, with their facts. */
export const factsOf = [
  [LinkClicked, clicked],
  [LinkOpened, opened],
  [LinkCreated, created],
  [LinksRestored, restored],
  [DeviceInstalled, installed],
  [DeviceActive, active],
  [PushRegistered, ofPush(kinds.registration)],
  [PushSent, ofPush(kinds.pushSent)],
  [PushOpened, ofPush(kinds.pushOpened)],
] as readonly (readonly [EventDef, FactsOf])[];
