// Messages of the link service: links, their slugs, the monthly quota.
import { z } from 'zod';
import { Actor, AuditEntry, actor, Plan, VERSION_MISMATCH } from '../account/index.ts';
import { labelKeys, UTM_LENGTH, utmNames } from '../client.ts';
import { requestsOf } from '../define.ts';
import { cursor, cursorPattern, destination, instant, metadata, orNull, page, text, uuid } from '../fields.ts';
import { chosenSlug, Link, linkFields, MAX_APP_TAGS, Maker, shortSlug, tag } from './link.ts';

const { query, command } = requestsOf('link');
const LINK_NOT_FOUND = z.object({});
/** The app would have more different tags than it may. */
const TOO_MANY_TAGS = z.object({ limit: z.literal(MAX_APP_TAGS) });

/** Spec 4.2. The id of the message becomes the id of the link. It comes from the Idempotency-Key, if any. */
export const CreateLink = command('CreateLink', {
  description: 'Creates a link, within the quota of the month. It has a key only with an idempotency key.',
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
    ...linkFields,
    expiresAt: instant().nullish(),
    /** Who makes it through the management API. Then it can be searched. */
    madeBy: Maker.nullish(),
    /** The slug that the maker chose. */
    slug: chosenSlug().optional(),
    /** Short slugs. The link gets the first one that is free. If all are taken, it gets a long one. */
    shortSlugs: z.array(shortSlug()).min(1).max(10).optional(),
  }),
  reply: z.object({ link: Link }),
  refusals: {
    /** `suggestions`: free slugs that are like it. */
    SLUG_TAKEN: z.object({ suggestions: z.array(text(100)) }),
    TOO_MANY_TAGS,
    GENERATED_LINKS_LIMIT_REACHED: z.object({ currentCount: z.int(), limit: z.int(), plan: text(100) }),
    IDEMPOTENCY_KEY_REUSED: z.object({}),
  },
  // Only a request with an idempotency key may come twice.
  key: ({ repeatable }, id) => (repeatable ? id : null),
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

export const MAX_FOUND_LINKS = 200;

export const FindLinks = query('FindLinks', {
  description: 'Finds links of an app by their ids.',
  input: z.object({ appId: uuid(), linkIds: z.array(uuid()).min(1).max(MAX_FOUND_LINKS) }),
  reply: z.object({
    /** In the order of the ids, without those that the app does not have. */
    links: z.array(Link),
    /** The ids that this answer had no room for. Ask again for them. */
    rest: z.array(uuid()),
  }),
  key: (input) => input.appId,
});

/** Every link has one of three states: archived; expired and not archived; live. */
export const linkStates = ['live', 'expired', 'archived'] as const;

/** Of a search, links of people come first. The letter tells that a page lists the other ones. */
export const linkCursor = () =>
  z.string().regex(new RegExp(`^(?:o_)?${cursorPattern}$`), 'must be a `next` of the previous page');

const filter = {
  appId: uuid(),
  state: z.enum([...linkStates, 'all']).default('all'),
  /**
   * Finds links of people whose name, slug and destination have all of its words somewhere. Finds other links by the
   * beginning of the destination, with its `/`, or of the slug, and those among the newest 10,000 links by words in their
   * destination. A slug is found by its path and its address, with the scheme or without.
   */
  search: orNull(text(4096).min(1)),
  tag: orNull(tag()),
  /** Only links of people with this `utm_campaign` in their destination, in any case. */
  campaign: text(255).min(1).nullish(),
  /** `people`: made or named through the management API. `keys`: all others. */
  origin: z.enum(['people', 'keys', 'all']).default('all'),
  /** Only links that this person made, also by a token. */
  userId: orNull(uuid()),
  /** Only links created at this time or later. */
  createdFrom: orNull(instant()),
  createdBefore: orNull(instant()),
};

/** A page may have fewer links than `limit`, or none, before the end of the list. Only `next` shows the end. */
export const ListLinks = query('ListLinks', {
  description: 'Lists the links of an app, latest first. In a search, the links of people come first.',
  input: z.object({
    ...filter,
    /** Whether the total is wanted. It costs a little. */
    count: z.boolean().default(false),
    limit: page.limit,
    cursor: linkCursor().nullable(),
  }),
  reply: z.object({
    links: z.array(Link),
    next: linkCursor().nullable(),
    /** The number of links in the whole list. `exact: false`: there are this many at least. Null: not asked for. */
    total: z.object({ count: z.int().min(0), exact: z.boolean() }).nullish(),
  }),
  key: (input) => input.appId,
});

/** The most links that an order of another service may be limited to. */
export const MOST_LINK_IDS = 10_000;

export const ListLinkIds = query('ListLinkIds', {
  description: 'Lists the ids of the links that a filter finds, in no order.',
  input: z.object(filter),
  reply: z.object({
    ids: z.array(uuid()),
    /** False: there are more, or more links must be read than anybody waits for. */
    all: z.boolean(),
  }),
  key: (input) => input.appId,
});

/** A calendar month in UTC, for example `2026-11`. */
export const month = () => z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

export const CountLiveLinks = query('CountLiveLinks', {
  description: 'Counts the links of an app that work: neither archived nor expired.',
  input: z.object({ appId: uuid() }),
  reply: z.object({ live: z.int().min(0) }),
  key: (input) => input.appId,
});

export const FindUsage = query('FindUsage', {
  description: 'Counts the links of an app in a month.',
  input: z.object({ appId: uuid(), month: month() }),
  reply: z.object({ linksCreated: z.int().min(0) }),
  key: (input) => input.appId,
});

export const ListLinkTags = query('ListLinkTags', {
  description: 'Lists the tags of an app with the number of their links, by name.',
  input: z.object({ appId: uuid() }),
  reply: z.object({ tags: z.array(z.object({ tag: text(100), links: z.int().min(0) })) }),
  key: (input) => input.appId,
});

/** The newest links of people of an app whose destinations are read for their campaign values. */
export const UTM_LINKS = 5_000;

export const ListLinkUtm = query('ListLinkUtm', {
  description: `Lists the campaign values in the destinations of an app's links of people, the most used first. It reads the newest ${UTM_LINKS.toLocaleString('en')} links.`,
  input: z.object({ appId: uuid(), limit: z.int().min(1).max(100).describe('For each name.') }),
  reply: z.object({ values: z.array(z.object({ name: z.enum(utmNames), value: text(UTM_LENGTH) })) }),
  key: (input) => input.appId,
});

export const EditLink = command('EditLink', {
  description: 'Changes the fields of a link, archives it or restores it.',
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
    ...linkFields,
  }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND, VERSION_MISMATCH, TOO_MANY_TAGS },
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
    /** Only the entries of these actors. Left out: of all. */
    actorKind: Actor.shape.kind.optional(),
    linkId: uuid().optional(),
    /** True: the entries of every team, also those without one. */
    anyTeam: z.boolean().optional(),
    /** The name of the command: `EditLink`. Left out: all. */
    action: text(100).optional(),
    /** Only entries since this time. */
    from: instant().optional(),
    ...page,
  }),
  reply: z.object({ entries: z.array(AuditEntry), next: cursor().nullable() }),
  key: ({ linkId, teamId }) => linkId ?? teamId ?? '',
});
