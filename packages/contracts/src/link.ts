// Messages of the link service: links, their slugs, the monthly quota.
import { z } from 'zod';
import { Actor, AuditEntry, actor, Plan, VERSION_MISMATCH } from './account/index.ts';
import {
  appVersion,
  build,
  country,
  labelKeys,
  labels,
  model,
  Platform,
  UTM_LENGTH,
  type UtmName,
  utmNames,
} from './client.ts';
import { eventsOf, requestsOf } from './define.ts';
import { cursor, destination, hash, instant, metadata, orNull, page, sealed, text, uuid } from './fields.ts';

const { query, command } = requestsOf('link');
const { publicEvent } = eventsOf('link');
const { publicEvent: gatewayEvent } = eventsOf('gateway');

export const Link = z.object({
  id: uuid(),
  appId: uuid(),
  /** `{milliseconds}-{random}`, unique in the app. */
  slug: text(100),
  destination: text(2048),
  /** The metadata from the creator, without the keys that the service adds. */
  metadata: metadata(),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  archivedAt: instant().nullable(),
  version: z.int(),
});
export type Link = z.output<typeof Link>;

const LINK_NOT_FOUND = z.object({});

/** Spec 4.2. The id of the message becomes the id of the link. It comes from the Idempotency-Key, if any. */
export const CreateLink = command('CreateLink', {
  description: 'Creates a link, within the quota of the month.',
  input: z.object({
    appId: uuid(),
    destination: destination(),
    metadata: metadata(),
    /** The second half of the slug. It has at least 60 random bits, so that a person cannot guess it. */
    random: z.string().regex(/^[a-z0-9]{12,20}$/),
    plan: Plan,
    /** True when the sender may repeat the command with the same id and the keys of `metadata` in another order. */
    repeatable: z.boolean().optional(),
    labelKeys: labelKeys().default([]),
    /** For the audit log. Null: links of SDK and server keys, and those of an import, which has one entry for all. */
    by: orNull(z.object({ actor: Actor, teamId: uuid().nullable() })),
  }),
  reply: z.object({ link: Link }),
  refusals: {
    GENERATED_LINKS_LIMIT_REACHED: z.object({ currentCount: z.int(), limit: z.int(), plan: text(100) }),
    IDEMPOTENCY_KEY_REUSED: z.object({}),
  },
  key: (_, id) => id,
});

/** Also finds expired and archived links. The caller decides with `expiresAt` and `archivedAt`. */
export const ResolveLink = query('ResolveLink', {
  description: 'Finds a link by its slug.',
  input: z.object({ appId: uuid(), slug: text(100) }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => `${input.appId}/${input.slug}`,
});

export const FindLink = query('FindLink', {
  description: 'Finds a link by its id.',
  input: z.object({ linkId: uuid() }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => input.linkId,
});

/** Every link has one of three states: archived; expired and not archived; live. */
export const linkStates = ['live', 'expired', 'archived'] as const;

/** A page may have fewer links than `limit`, or none, before the end of the list. Only `next` shows the end. */
export const ListLinks = query('ListLinks', {
  description: 'Lists the links of an app, latest first.',
  input: z.object({
    appId: uuid(),
    state: z.enum([...linkStates, 'all']).default('all'),
    /** The beginning of the destination, with its `/`, or of the slug. In a URL, that is the last part of its path. */
    search: orNull(text(4096).min(1)),
    /** Only links created at this time or later. */
    createdFrom: orNull(instant()),
    createdBefore: orNull(instant()),
    ...page,
  }),
  reply: z.object({ links: z.array(Link), next: cursor().nullable() }),
  key: (input) => input.appId,
});

/** A calendar month in UTC, for example `2026-11`. */
export const month = () => z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

export const FindUsage = query('FindUsage', {
  description: 'Counts the links of an app in a month.',
  input: z.object({ appId: uuid(), month: month() }),
  reply: z.object({ linksCreated: z.int().min(0) }),
  key: (input) => input.appId,
});

export const CountLiveLinks = query('CountLiveLinks', {
  description: 'Counts the links of an app that work: neither archived nor expired.',
  input: z.object({ appId: uuid() }),
  reply: z.object({ live: z.int().min(0) }),
  key: (input) => input.appId,
});

export const EditLink = command('EditLink', {
  description: 'Changes the destination, metadata or expiry of a link, archives it or restores it.',
  input: z.object({
    actor: actor(),
    /** The team of the link's app. The audit log of this team gets the entry. */
    teamId: orNull(uuid()),
    /** The command is refused when the link has another version. */
    ifVersion: orNull(z.int()),
    linkId: uuid(),
    destination: destination().optional(),
    /** Replaces all metadata of the link. */
    metadata: metadata().optional(),
    expiresAt: instant().nullable().optional(),
    archived: z.boolean().optional(),
    labelKeys: labelKeys().default([]),
  }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND, VERSION_MISMATCH },
  key: (input) => input.linkId,
});

/**
 * Has the same cursor as the audit log of the console, so that both lists together make one log. `before` and `after`
 * hold only the changed fields. `before` is null for a created link. `linkId`: only the entries of this link, while its
 * app belonged to the team.
 */
export const ListLinkEdits = query('ListLinkEdits', {
  description: 'Lists who created and edited links in a team, or one link, latest first.',
  input: z.object({
    teamId: uuid().nullable().describe('Null: the operator alone managed the app.'),
    appId: uuid().nullable(),
    userId: uuid().nullable(),
    linkId: uuid().optional(),
    ...page,
  }),
  reply: z.object({ entries: z.array(AuditEntry), next: cursor().nullable() }),
  key: ({ linkId, teamId }) => linkId ?? teamId ?? '',
});

const ofLink = {
  linkId: uuid().describe('The link.'),
  appId: uuid().describe('The app that the link belongs to.'),
};
const whereItLeads = {
  slug: text(100).describe('The path of the link: `https://<host of the app>/<slug>`. Unique in the app.'),
  destination: text(2048).describe('The destination of the link inside the app: a path with its query.'),
};
const state = {
  version: z.int().describe('The number of the state of a link, from 1. The highest is the latest.'),
  labels: labels(),
};
const address = () =>
  hash()
    .nullable()
    .describe(
      'A keyed hash of the address of the request, equal for equal addresses. Null when many strangers share the address.',
    );

export const LinkCreated = publicEvent('LinkCreated', {
  description: 'A link was created, by the API or by an SDK.',
  topic: 'link.created',
  data: z.object({ ...ofLink, ...whereItLeads, ...state }),
  key: (data) => data.linkId,
});

export const LinkEdited = publicEvent('LinkEdited', {
  description:
    'A link was changed: its destination, its metadata or its expiry changed, or it was archived or restored. The data is its whole state, with its labels instead of its metadata.',
  topic: 'link.edited',
  data: z.object({
    ...ofLink,
    ...whereItLeads,
    expiresAt: instant().nullable().describe('The link stops working at this time. Null: never.'),
    archivedAt: instant()
      .nullable()
      .describe('The time since which the link is archived and does not work. Null: it is not archived.'),
    ...state,
  }),
  key: (data) => data.linkId,
});

const utmValue = (name: UtmName) =>
  text(UTM_LENGTH).nullable().describe(`The value of \`utm_${name}\`. Null: there is none.`);

/** The id of the event is the id of the tap. */
export const LinkClicked = gatewayEvent('LinkClicked', {
  description:
    'A person tapped a link and it opened in a browser. Not sent for bots, previews, prefetches, programs that name no browser, loads by pages, and what the buttons of our own pages cause. A tap that the installed app opens itself is a `LinkOpened`.',
  topic: 'link.clicked',
  data: z.object({
    ...ofLink,
    url: text(4096).describe(
      'The URL that was tapped. Its query has only `utm_*`, the click ids of known ad networks, and the parameters that the app publishes (`publishedParameters`).',
    ),
    sealedUrl: orNull(sealed('tapped url')).describe(
      'The URL with its whole query, encrypted so that only the restore can read it. Null when `url` is complete.',
    ),
    platform: z
      .enum(['ios', 'android', 'desktop', 'unknown'])
      .describe('The device of the tap, as far as the browser names it.'),
    inApp: z
      .boolean()
      .describe(
        'Opened in the browser inside another app (Facebook, Instagram, …), which starts no other app by itself.',
      ),
    deferred: z
      .boolean()
      .describe('A tap on a phone. After an install the link may be given back, in `links.restored`.'),
    address: address(),
    userAgent: hash().describe('A keyed hash of the user agent: equal for the same browser in the same version.'),
    target: orNull(z.enum(['store', 'web', 'page'])).describe(
      'The answer to the tap: sent to a store, sent to the web page of the app, or a page with buttons.',
    ),
    via: z
      .enum(['link', 'qr', 'banner'])
      .default('link')
      .describe('How the person came to the link: tapped it, scanned its QR code, or tapped the banner of a web page.'),
    country: country(),
    referrer: orNull(text(253)).describe(
      'The host of the page with the link, in lower case, without `www.`. Null: the browser named none.',
    ),
    browser: orNull(text(50)).describe('The name of the browser, e.g. `Safari`.'),
    os: orNull(text(50)).describe('The operating system, e.g. `iOS`.'),
    osVersion: orNull(text(20)).describe(
      'The version of the operating system, at most `major.minor`. Null: the browser hides it.',
    ),
    model: model(),
    builds: orNull(z.array(build()).max(8)).describe(
      'Keyed hashes of the fingerprints that the public client may have on the Android phone, as far as its browser tells them. Null: not known.',
    ),
    language: orNull(text(20)).describe(
      'The first language of the browser without its region, as in BCP 47, e.g. `de`.',
    ),
    inAppBrowser: orNull(text(50)).describe(
      'The app whose browser opened the link, e.g. `Instagram`; `WebView` for an unknown one.',
    ),
    utm: orNull(
      z.object(
        Object.fromEntries(utmNames.map((name) => [name, utmValue(name)])) as Record<
          UtmName,
          z.ZodNullable<z.ZodString>
        >,
      ),
    ).describe(
      'The effective `utm_*` values: of the tapped URL, else of the destination of the link, else of its metadata. Null: there are none.',
    ),
    utmOfLink: z
      .array(z.enum(utmNames))
      .default([])
      .describe(
        'Which of the `utm_*` values are those of the link. Others came with the tapped URL, so that anybody can make them up.',
      ),
    labels: labels(),
  }),
  key: (data) => data.linkId,
});

export const LinkOpened = gatewayEvent('LinkOpened', {
  description:
    'An installed app resolved a link and opened it. Every opening is sent. Openings of one link from one address in one minute have one id, so that they count once.',
  topic: 'link.opened',
  data: z.object({
    ...ofLink,
    address: address(),
    platform: orNull(Platform).describe('The platform of the app. Null: the client does not name it.'),
    country: country(),
    appVersion: appVersion(),
    labels: labels(),
  }),
  key: (data) => data.linkId,
});

export const ExitUsed = gatewayEvent('ExitUsed', {
  description:
    'A person used the button that leads out of the browser inside another app (`tapped`), or came to a browser by it (`arrived`). Both numbers together say which exits still work. A browser reports `tapped` by itself, and anybody can forge such a report. An exit that opens the installed app at once has no `arrived`.',
  topic: 'exit.used',
  data: z.object({
    ...ofLink,
    exit: text(50).describe('The name of the exit, e.g. `instagram-extbrowser`. The guide about link pages lists all.'),
    step: z.enum(['tapped', 'arrived']).describe('`tapped`: inside the other app. `arrived`: in the browser.'),
    platform: z.enum(['ios', 'android']).describe('The system of the phone or tablet.'),
    inAppBrowser: text(50)
      .nullable()
      .describe('The app that was left, e.g. `Instagram`. Null: `arrived` by an exit that several apps have.'),
  }),
  key: (data) => data.linkId,
});
