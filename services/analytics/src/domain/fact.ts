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

export interface Fact {
  readonly at: Date;
  readonly id: string;
  readonly appId: string;
  readonly kind: Kind;
  readonly linkId: string | null;
  /** A UUID of the first half of the hash of the device. */
  readonly device: string | null;
  /** Of a click: what makes one visitor, before it is hashed with the salt of the day. */
  readonly visitorKey: string | null;
  readonly clickId: string | null;
  readonly clickedAt: Date | null;
  readonly installedAt: Date | null;
  readonly installDay: number | null;
  readonly toStore: boolean | null;
  readonly country: string | null;
  readonly platform: string | null;
  readonly os: string | null;
  readonly osVersion: string | null;
  readonly browser: string | null;
  readonly language: string | null;
  readonly referrer: string | null;
  readonly inAppBrowser: string | null;
  readonly via: string | null;
  readonly utmSource: string | null;
  readonly utmMedium: string | null;
  readonly utmCampaign: string | null;
  readonly utmTerm: string | null;
  readonly utmContent: string | null;
  readonly matchType: string | null;
  readonly appVersion: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
  /** Of a click: the dimensions whose values are those of the link. Others came with the tapped URL. It is not stored. */
  readonly valuesOfLink: readonly FixedDimension[];
}

const empty = {
  linkId: null,
  device: null,
  visitorKey: null,
  clickId: null,
  clickedAt: null,
  installedAt: null,
  installDay: null,
  toStore: null,
  country: null,
  platform: null,
  os: null,
  osVersion: null,
  browser: null,
  language: null,
  referrer: null,
  inAppBrowser: null,
  via: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  matchType: null,
  appVersion: null,
  labels: null,
  valuesOfLink: [],
};

/** Makes a fact. What is left out is null. */
export const fact = (given: Pick<Fact, 'at' | 'id' | 'appId' | 'kind'> & Partial<Fact>): Fact => ({
  ...empty,
  ...given,
});
