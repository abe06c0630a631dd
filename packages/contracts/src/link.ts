// The link service: links, their slugs, the monthly quota.
import { z } from 'zod';
import { Plan } from './account.ts';
import { event, request } from './define.ts';
import { cursor, destination, hash, instant, metadata, page, text, uuid } from './fields.ts';

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
  topic: commands,
  input: z.object({
    appId: uuid(),
    destination: destination(),
    metadata: metadata(),
    /** At least 60 bits that nobody can guess; the slug's second half. */
    random: z.string().regex(/^[a-z0-9]{12,20}$/),
    plan: Plan,
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
  topic: queries,
  input: z.object({ appId: uuid(), slug: text(100) }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => `${input.appId}/${input.slug}`,
});

export const FindLink = request({
  kind: 'query',
  name: 'FindLink',
  topic: queries,
  input: z.object({ linkId: uuid() }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => input.linkId,
});

export const ListLinks = request({
  kind: 'query',
  name: 'ListLinks',
  topic: queries,
  input: z.object({ appId: uuid(), ...page }),
  reply: z.object({ links: z.array(Link), next: cursor().nullable() }),
  refusals: {},
  key: (input) => input.appId,
});

export const EditLink = request({
  kind: 'command',
  name: 'EditLink',
  topic: commands,
  input: z.object({ linkId: uuid(), expiresAt: instant().nullable().optional(), archived: z.boolean().optional() }),
  reply: z.object({ link: Link }),
  refusals: { LINK_NOT_FOUND },
  key: (input) => input.linkId,
});

export const LinkCreated = event({
  name: 'LinkCreated',
  topic: 'link.created',
  data: z.object({ linkId: uuid(), appId: uuid(), slug: text(100), destination: text(2048), version: z.int() }),
  key: (data) => data.linkId,
});

export const LinkEdited = event({
  name: 'LinkEdited',
  topic: 'link.edited',
  data: z.object({
    linkId: uuid(),
    appId: uuid(),
    slug: text(100),
    destination: text(2048),
    expiresAt: instant().nullable(),
    archivedAt: instant().nullable(),
    version: z.int(),
  }),
  key: (data) => data.linkId,
});

/** A person tapped a link. The event's id is the tap. */
export const LinkClicked = event({
  name: 'LinkClicked',
  topic: 'link.clicked',
  data: z.object({
    linkId: uuid(),
    appId: uuid(),
    /** The URL that was tapped, with its query. */
    url: text(4096),
    platform: z.enum(['ios', 'android', 'desktop', 'unknown']),
    /** Opened inside another app (Facebook, Instagram, …), where no app starts by itself. */
    inApp: z.boolean(),
    /** Whether an install may be matched with it: a person's tap on a phone. */
    deferred: z.boolean(),
    /** Keyed hashes; null when the address is not one person's. */
    address: hash().nullable(),
    userAgent: hash(),
  }),
  key: (data) => data.linkId,
});

/** An installed app resolved a link with its key: it was there and opened it. At most once per link, address and minute. */
export const LinkOpened = event({
  name: 'LinkOpened',
  topic: 'link.opened',
  data: z.object({ linkId: uuid(), appId: uuid(), address: hash().nullable() }),
  key: (data) => data.linkId,
});
