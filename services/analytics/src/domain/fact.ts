// One public event as analytics stores it.
import type { FixedDimension } from '@landfall/contracts';

/** The kinds of facts, by the numbers that the table holds. */
export const kinds = {
  click: 1,
  open: 2,
  install: 3,
  restore: 4,
  active: 5,
  linkCreated: 6,
  registration: 7,
  pushSent: 8,
  pushOpened: 9,
} as const;
export type Kind = (typeof kinds)[keyof typeof kinds];

type Text = string | null;

const empty = {
  linkId: null as Text,
  /** A UUID of the first half of the hash of the device. */
  device: null as Text,
  /** Of a click: what makes one visitor, before it is hashed with the salt of the day. */
  visitorKey: null as Text,
  clickId: null as Text,
  clickedAt: null as Date | null,
  installedAt: null as Date | null,
  installDay: null as number | null,
  toStore: null as boolean | null,
  /** Of a click: `store`, `web` or `page`. */
  target: null as Text,
  country: null as Text,
  platform: null as Text,
  os: null as Text,
  osVersion: null as Text,
  browser: null as Text,
  language: null as Text,
  referrer: null as Text,
  inAppBrowser: null as Text,
  via: null as Text,
  utmSource: null as Text,
  utmMedium: null as Text,
  utmCampaign: null as Text,
  utmTerm: null as Text,
  utmContent: null as Text,
  matchType: null as Text,
  appVersion: null as Text,
  labels: null as Readonly<Record<string, string>> | null,
  /** Of a click: the dimensions whose values are those of the link. Others came with the tapped URL. It is not stored. */
  valuesOfLink: [] as readonly FixedDimension[],
};

export interface Fact extends Readonly<typeof empty> {
  readonly at: Date;
  readonly id: string;
  readonly appId: string;
  readonly kind: Kind;
}

/** Makes a fact. What is left out is null. */
export const fact = (given: Pick<Fact, 'at' | 'id' | 'appId' | 'kind'> & Partial<Fact>): Fact => ({
  ...empty,
  ...given,
});
