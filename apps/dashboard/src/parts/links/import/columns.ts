// What each column of a file means. Other products and people name columns in many ways; a person corrects the rest.

/** The use of a column. `value`: one value of the metadata, under the name of the column. `none`: nothing. */
export const TARGETS = [
  'destination',
  'name',
  'slug',
  'tags',
  'note',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'expiresAt',
  'archived',
  'webUrl',
  'iosUrl',
  'androidUrl',
  'expiredUrl',
  'metadata',
  'value',
  'none',
] as const;
export type Target = (typeof TARGETS)[number];

/** A target for each column, in their order. */
export type Mapping = readonly Target[];

/** Targets that a person may give to several columns. */
export const isShared = (target: Target): boolean => target === 'value' || target === 'none';

/** The columns of an export that Landfall sets itself. */
const OWN = ['url', 'slug', 'createdAt', 'id'] as const;
/** Others of them. The figures have their days, but not in exports of older versions. */
const LATER = /^(createdBy|(clicks|installs)(7d|30d|90d)?|lastTapAt)$/;
export const isExport = (names: readonly string[]): boolean =>
  names.includes('destination') && OWN.every((name) => names.includes(name));

/** One value of the metadata, in an export that a person made. */
const PREFIX = 'metadata.';

/** Texts of the preview in an export of Branch. They are metadata under names without the sign. */
const PREVIEW = /^\$(og_[a-z]+?)(_url)?$/;

/** The signs before values in an export of Branch. */
const SIGN = /^[$~]/;
export const isOfBranch = (names: readonly string[]): boolean => names.some((name) => SIGN.test(name));

/** Columns of Branch that tell of its own link, and mean nothing for another one. */
const TOLD =
  /^(url|qrcode|(link|branch)?id|creationsource|referringlink|date(created|modified)?|((last)?(edited|modified|updated)|created|creation)(at|by|on|date|time)?|\w*(clicks|installs|opens|visits|conversions))$/;

/** Returns the key that a column has in the metadata. */
export const keyOf = (name: string): string =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name.replace(PREVIEW, '$1').replace(SIGN, '');

/** The column of Branch that holds a path, mostly without its slash. */
export const isBarePath = (name: string): boolean => plain(name) === 'deeplinkpath';

/**
 * The names of each target, without case, spaces and signs, the most certain first: those of exports of Landfall, Dub,
 * Bitly, Branch, Shlink and Short.io, and what people call it.
 */
const NAMES: Partial<Record<Target, readonly string[]>> = {
  destination: [
    ...['destination', 'destinationurl', 'longurl', 'originalurl', 'targeturl', 'target', 'deeplinkpath', 'deeplink'],
    ...['canonicalurl', 'url', 'link'],
  ],
  // Dub names the short address `link` and the other one `url`.
  slug: [
    ...['slug', 'alias', 'backhalf', 'custombackhalf', 'customslug', 'shorturl', 'shortlink', 'shortcode', 'bitlink'],
    ...['linkurl', 'keyword', 'link'],
  ],
  name: ['name', 'title', 'linkname', 'linktitle', 'marketingtitle'],
  tags: ['tags', 'tag'],
  note: ['note', 'notes', 'comment', 'comments'],
  utm_source: ['utmsource', 'source', 'channel'],
  utm_medium: ['utmmedium', 'medium', 'feature'],
  utm_campaign: ['utmcampaign', 'campaign'],
  utm_content: ['utmcontent'],
  utm_term: ['utmterm'],
  expiresAt: ['expiresat', 'expires', 'expiry', 'expirationdate', 'expiration', 'validuntil', 'enddate'],
  archived: ['archivedat', 'archived'],
  webUrl: ['weburl', 'desktopurl', 'fallbackurl'],
  iosUrl: ['iosurl', 'ios', 'iphoneurl'],
  androidUrl: ['androidurl', 'android'],
  expiredUrl: ['expiredurl'],
  metadata: ['metadata', 'data'],
};

/** Names of columns that also fill the cells which a better column of their target leaves empty. */
const FILLS = ['canonicalurl', 'fallbackurl', 'bitlink', 'linkurl'];

export const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Proposes what the columns become. No name stands for two targets. */
export function proposed(names: readonly string[]): Mapping {
  const ofBranch = isOfBranch(names);
  const mapping: Target[] = names.map((name) =>
    (name.startsWith(PREFIX) && name !== PREFIX) || PREVIEW.test(name) ? 'value' : 'none',
  );
  for (const [target, known] of Object.entries(NAMES) as [Target, readonly string[]][]) {
    // Elsewhere, `Link URL` may be the destination.
    const sure = known.filter((one) => one !== 'linkurl' || ofBranch);
    const places = sure.map((one) => names.findIndex((name, n) => plain(name) === one && mapping[n] === 'none'));
    const [first, ...others] = places.filter((n) => n >= 0);
    for (const n of others) if (FILLS.includes(plain(names[n]!))) mapping[n] = target;
    if (first !== undefined) mapping[first] = target;
  }
  if (!ofBranch) return mapping;
  return mapping.map((target, n) =>
    target === 'none' && names[n] !== '' && !TOLD.test(plain(names[n]!)) ? 'value' : target,
  );
}

/** Returns the places of the columns of a target, the best first. Each fills the cells that those before leave empty. */
export function columnsOf(target: Target, mapping: Mapping, names: readonly string[]): number[] {
  const rank = (place: number) => NAMES[target]?.indexOf(plain(names[place]!)) ?? -1;
  const places = mapping.map((_, place) => place).filter((place) => mapping[place] === target);
  return places.sort((one, other) => rank(one) - rank(other));
}

/** Returns the columns that may have held a value, for sentences about it. */
export const namesOfTarget = (target: Target, mapping: Mapping, names: readonly string[]): string =>
  columnsOf(target, mapping, names)
    .map((place) => names[place])
    .join(' / ');

/** Gives a column another target. The column that had it before becomes nothing. */
export const withTarget = (mapping: Mapping, place: number, target: Target): Mapping =>
  mapping.map((one, n) => (n === place ? target : one === target && !isShared(target) ? 'none' : one));

/** Whether Landfall itself makes what the column holds. */
export const isOwn = (name: string, names: readonly string[]): boolean =>
  isExport(names) && (OWN.some((own) => own === name) || LATER.test(name));
