// The link service: links, their slugs, the monthly quota.
import { z } from 'zod';
import { AuditEntry, actor, Plan, VERSION_MISMATCH } from './account/index.ts';
import { event, request } from './define.ts';
import { cursor, destination, hash, instant, metadata, page, sealed, text, uuid } from './fields.ts';

const queries = 'link.queries';
const commands = 'link.commands';

export const Link = z.object({
  id: uuid(),
  appId: uuid(),
  /** `{milliseconds}-{random}`, unique in the app. */
  slug: text(100),
  destination: text(2048),
  /** As the creator gave it, without the keys that the service adds. */
  metadata: metadata(),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  archivedAt: instant().nullable(),
  version: z.int(),
});
export type Link = z.output<typeof Link>;

const LINK_NOT_FOUND = z.object({});

/** Spec 4.2. The message's id becomes the link's id; with an Idempotency-Key it is derived from it. */
export const CreateLink = request({
  kind: 'command',
  name: 'CreateLink',
  description: 'Makes a link, within the quota of the month.',
  topic: commands,
  input: z.object({
    appId: uuid(),
    destination: destination(),
    metadata: metadata(),
    /** At least 60 bits that nobody can guess; the slug's second half. */
    random: z.string().regex(/^[a-z0-9]{12,20}$/),
    plan: Plan,
    /** The asker may ask again under the same id, with the keys of `metadata` in another order. */
    repeatable: z.boolean().optional(),
  }),
  reply: z.object({ link: Link }),
  refusals: {
    GENERATED_LINKS_LIMIT_REACHED: z.object({ currentCount: z.int(), limit: z.int(), plan: text(100) }),
    IDEMPOTENCY_KEY_REUSED: z.object({}),
  },
  key: (_, id) => id,
});

/** Expired and archived links are found too: the asker decides by `expiresAt` and `archivedAt`. */
export const ResolveLink = request({
  kind: 'query',
  name: 'ResolveLink',
  description: 'The link with a slug.',
  topic: queries,
  input: z.object({ appId: uuid(), slug: text(100) }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => `${input.appId}/${input.slug}`,
});

export const FindLink = request({
  kind: 'query',
  name: 'FindLink',
  description: 'The link with an id.',
  topic: queries,
  input: z.object({ linkId: uuid() }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => input.linkId,
});

/** Every link is in one of three: in the archive; expired and not in the archive; live. */
export const linkStates = ['live', 'expired', 'archived'] as const;

/** A page may be shorter than `limit`, even empty, and not the last: only `next` says where the end is. */
export const ListLinks = request({
  kind: 'query',
  name: 'ListLinks',
  description: 'The links of an app, latest first.',
  topic: queries,
  input: z.object({
    appId: uuid(),
    state: z.enum([...linkStates, 'all']).default('all'),
    /** A beginning of the destination, if it begins with `/`, else of the slug; a URL counts as the slug that it ends with. */
    search: text(4096).min(1).nullable().default(null),
    /** Made then or later. */
    createdFrom: instant().nullable().default(null),
    /** Made earlier. */
    createdBefore: instant().nullable().default(null),
    ...page,
  }),
  reply: z.object({ links: z.array(Link), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.appId,
});

/** A calendar month, UTC: `2026-11`. */
export const month = () => z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

export const FindUsage = request({
  kind: 'query',
  name: 'FindUsage',
  description: 'How many links of an app count for a month.',
  topic: queries,
  input: z.object({ appId: uuid(), month: month() }),
  reply: z.object({ linksCreated: z.int().min(0) }),
  refusals: {},
  key: (input) => input.appId,
});

export const EditLink = request({
  kind: 'command',
  name: 'EditLink',
  description:
    'Changes where a link leads, its metadata or when it expires, archives it or takes it back from the archive.',
  topic: commands,
  input: z.object({
    actor: actor(),
    /** Of the link's app: in whose audit log it stands. */
    teamId: uuid().nullable().default(null),
    /** Refused unless this is the link's version. */
    ifVersion: z.int().nullable().default(null),
    linkId: uuid(),
    destination: destination().optional(),
    /** Instead of all that the link has. */
    metadata: metadata().optional(),
    expiresAt: instant().nullable().optional(),
    archived: z.boolean().optional(),
  }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND, VERSION_MISMATCH },
  key: (input) => input.linkId,
});

/** `before` and `after` hold what the edit changed, and nothing else. Emails are the account service's to say. */
export const LinkAuditEntry = AuditEntry.omit({ actorEmail: true });
export type LinkAuditEntry = z.output<typeof LinkAuditEntry>;

/** Asked as `ListAudit` is, and with the same cursor: the two make one log. */
export const ListLinkEdits = request({
  kind: 'query',
  name: 'ListLinkEdits',
  description: 'The edits of links that were made in a team, latest first.',
  topic: queries,
  input: z.object({ teamId: uuid(), appId: uuid().nullable(), userId: uuid().nullable(), ...page }),
  reply: z.object({ entries: z.array(LinkAuditEntry), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.teamId,
});

const linkId = () => uuid().describe('The link.');
const appId = () => uuid().describe('The app that the link belongs to.');
const slug = () => text(100).describe('The path of the link: `https://<host of the app>/<slug>`. Unique in the app.');
const path = () => text(2048).describe('Where the link leads inside the app: a path with its query.');
const version = () => z.int().describe('Counts the states of a link, from 1. The highest is the latest.');
const address = () =>
  hash()
    .nullable()
    .describe(
      'A keyed hash of the address that the request came from: equal for the same address. Null when many strangers share it.',
    );

export const LinkCreated = event({
  name: 'LinkCreated',
  description: 'A link was created, by the API or by an SDK.',
  audience: 'public',
  producer: 'link',
  topic: 'link.created',
  data: z.object({ linkId: linkId(), appId: appId(), slug: slug(), destination: path(), version: version() }),
  key: (data) => data.linkId,
});

export const LinkEdited = event({
  name: 'LinkEdited',
  description:
    'A link was changed: it leads elsewhere, is archived, taken back from the archive, expires at another time, or has other metadata. This is all of its state but its metadata.',
  audience: 'public',
  producer: 'link',
  topic: 'link.edited',
  data: z.object({
    linkId: linkId(),
    appId: appId(),
    slug: slug(),
    destination: path(),
    expiresAt: instant().nullable().describe('From then on the link is gone for everybody. Null: never.'),
    archivedAt: instant()
      .nullable()
      .describe('Since when the link is archived, and gone for everybody. Null: it is not.'),
    version: version(),
  }),
  key: (data) => data.linkId,
});

/** The event's id is the tap. */
export const LinkClicked = event({
  name: 'LinkClicked',
  description:
    'A person tapped a link and it was opened in a browser. Bots, previews, what browsers load ahead of a tap and what pages load by themselves are not told; a tap that the installed app opens itself is a `LinkOpened`.',
  audience: 'public',
  producer: 'gateway',
  topic: 'link.clicked',
  data: z.object({
    linkId: linkId(),
    appId: appId(),
    url: text(4096).describe(
      'The URL that was tapped. Of its query there are `utm_*`, the click ids of known ad networks, and the parameters that the app publishes (`publishedParameters`).',
    ),
    sealedUrl: sealed('tapped url')
      .nullable()
      .default(null)
      .describe(
        'The URL with all of its query, for the restore alone: nobody else can read it. Null where `url` is all of it.',
      ),
    platform: z
      .enum(['ios', 'android', 'desktop', 'unknown'])
      .describe('What it was tapped on, as far as the browser says.'),
    inApp: z
      .boolean()
      .describe('Opened in the browser inside another app (Facebook, Instagram, …), where no app starts by itself.'),
    deferred: z
      .boolean()
      .describe('A tap on a phone: the link may be given back after an install, in `links.restored`.'),
    address: address(),
    userAgent: hash().describe('A keyed hash of the user agent: equal for the same browser in the same version.'),
  }),
  key: (data) => data.linkId,
});

export const LinkOpened = event({
  name: 'LinkOpened',
  description:
    'An installed app asked where a link leads: it was there, and opened the link. Each opening is told; those of one link from one address in one minute have one id, so that they count once.',
  audience: 'public',
  producer: 'gateway',
  topic: 'link.opened',
  data: z.object({ linkId: linkId(), appId: appId(), address: address() }),
  key: (data) => data.linkId,
});
