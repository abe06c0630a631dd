// What the form of a link holds, and how the API takes it.
import type { App, Link } from '@landfall/api-client';
import { linkNameOf } from '@landfall/api-client/link-name';
import { NO_UTM, splitUtm, type Utm, withUtm } from '@landfall/api-client/utm';
import { changesOf } from '../../forms/changes.ts';
import { instantIn, wallIn } from '../../time-zone.ts';
import { type Places, readDestination } from './destination.ts';
import { metadataOf, type Pair, pairsOf } from './metadata.ts';

export type LinkValues = {
  /** As it was typed, without the UTM values. */
  destination: string;
  utm: Utm;
  /** True: the UTM values stay as they are typed. */
  keepsText: boolean;
  name: string;
  /** Empty: Landfall makes a long one. */
  slug: string;
  tags: string[];
  note: string;
  /** A time on the wall of the app's zone, or nothing. */
  expiresAt: string;
  webUrl: string;
  iosUrl: string;
  androidUrl: string;
  expiredUrl: string;
  metadata: Pair[];
};

export const OWN_PAGES = ['webUrl', 'iosUrl', 'androidUrl'] as const;
const TEXTS = ['name', 'note', ...OWN_PAGES, 'expiredUrl'] as const;

export const NO_LINK: LinkValues = {
  destination: '',
  utm: NO_UTM,
  keepsText: false,
  name: '',
  slug: '',
  tags: [],
  note: '',
  expiresAt: '',
  webUrl: '',
  iosUrl: '',
  androidUrl: '',
  expiredUrl: '',
  metadata: [],
};

export function valuesOf(link: Link, timeZone: string): LinkValues {
  const { rest, utm } = splitUtm(link.destination);
  return {
    ...NO_LINK,
    ...Object.fromEntries(TEXTS.map((name) => [name, link[name] ?? ''])),
    destination: rest,
    utm,
    slug: link.slug,
    tags: [...link.tags],
    expiresAt: link.expiresAt === null ? '' : wallIn(link.expiresAt, timeZone),
    metadata: pairsOf(link.metadata),
  };
}

/** Returns the form for one more link like this one: only what names the link itself is new. */
export const another = (values: LinkValues): LinkValues => ({
  ...values,
  name: nextName(values.name),
  slug: randomSlug(),
});

/** As many characters as a name may have. */
const NAME_LENGTH = 100;

/** Returns the name with the next number, so that two links of a list do not look alike. */
export function nextName(name: string): string {
  if (name.trim() === '') return '';
  const [, start = name, number = '1'] = /^(.*?) (\d{1,3})$/.exec(name.trim()) ?? [];
  const end = ` ${Number(number) + 1}`;
  return start.trim().slice(0, NAME_LENGTH - end.length) + end;
}

/** Without characters that look alike, as Landfall makes short slugs. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

/** Returns seven random characters. */
export function randomSlug(): string {
  let slug = '';
  while (slug.length < 7) {
    // Only as many as are spread evenly over the alphabet.
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < ALPHABET.length * 8) slug += ALPHABET[byte % ALPHABET.length];
  }
  return slug;
}

export const destinationOf = ({ destination, utm }: Pick<LinkValues, 'destination' | 'utm'>): string =>
  withUtm(destination, utm);

/** Returns the name of a draft. It may have neither a name nor a destination yet. */
export const draftNameOf =
  (unnamed: string) =>
  ({ name, destination }: LinkValues): string =>
    linkNameOf({ name, destination }) || unnamed;

type Metadata = Record<string, never>;

/** The fields of a new link. */
export function newLinkOf(values: LinkValues, timeZone: string) {
  const metadata = metadataOf(values.metadata);
  const texts = TEXTS.map((name) => [name, values[name].trim()] as const).filter(([, text]) => text !== '');
  const expiresAt = instantIn(values.expiresAt, timeZone);
  return {
    destination: destinationOf(values),
    ...Object.fromEntries(texts),
    ...(values.slug.trim() !== '' && { slug: values.slug.trim() }),
    ...(values.tags.length > 0 && { tags: values.tags }),
    ...(expiresAt !== null && { expiresAt }),
    ...(Object.keys(metadata).length > 0 && { metadata: metadata as Metadata }),
  };
}

/** The fields that a person changed. A date field holds no seconds, and not which of two equal hours. */
export function changeOf(link: Link, values: LinkValues, timeZone: string) {
  const changed = changesOf(valuesOf(link, timeZone), values);
  const texts = TEXTS.filter((name) => changed[name] !== undefined);
  return {
    ...((changed.destination !== undefined || changed.utm !== undefined) && { destination: destinationOf(values) }),
    ...Object.fromEntries(texts.map((name) => [name, values[name].trim() || null])),
    ...(changed.tags !== undefined && { tags: values.tags }),
    ...(changed.expiresAt !== undefined && { expiresAt: instantIn(values.expiresAt, timeZone) }),
    ...(changed.metadata !== undefined && { metadata: metadataOf(values.metadata, link.metadata) as Metadata }),
  };
}

/** Returns the form after the destination was read: its UTM values and its page are in their own fields. */
export function taken(values: LinkValues, places: Places): LinkValues {
  const read = readDestination(values.destination, places);
  if ('fault' in read) return values;
  const { rest, utm } = splitUtm(read.destination);
  const given = Object.fromEntries(Object.entries(utm).filter(([, value]) => value !== ''));
  return {
    ...values,
    destination: rest,
    utm: { ...values.utm, ...given },
    // The link host adds the UTM values to every page.
    ...(read.webUrl !== null && { webUrl: splitUtm(read.webUrl).rest }),
  };
}

/** The hosts that serve the links of an app, with ports. The first one is that of new links. */
export const hostsOf = ({ linkHost, openHost, domains }: Pick<App, 'linkHost' | 'openHost' | 'domains'>): string[] => [
  ...new Set([linkHost, ...domains, openHost.replace(/^open-/, '')]),
];

export const placesOf = (app: App): Places => ({
  webFallbackUrl: app.webFallbackUrl,
  hosts: [...hostsOf(app), app.openHost],
});
