// Restores as people see them and look for them: with the links and the key that they name, and with advice.
import {
  type App,
  type Link,
  ListRestores,
  NearTap,
  Platform,
  type ReplyOf,
  RestoreState,
  reader,
  text,
} from '@landfall/contracts';
import { linkUrl } from '@landfall/gateway';
import { z } from 'zod';
import { namedDevices, usersOfRegistrations } from '../devices/registrations.ts';
import type { ConsoleParts } from '../parts.ts';
import { anyTime, id, inUtc, next, pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { Advice, adviceFor } from './advice.ts';

type Restore = ReplyOf<typeof ListRestores>['restores'][number];

export const restoreFilter = {
  state: RestoreState.optional().describe(
    '`found`: links were given. `refused`: a tap was considered, and not given. `nothing`: there was no tap to consider.',
  ),
  platform: Platform.optional(),
  linkId: id().optional().describe('Only restores that considered a tap on this link, given or not.'),
  keyId: id().optional().describe('Only restores with this key.'),
  from: anyTime().optional().describe('Only restores at this time or later.'),
  before: anyTime().optional().describe('Only restores before this time.'),
  search: text(2048)
    .regex(/\S/, 'must not be blank')
    .optional()
    .describe(
      'A fingerprint, the email or id of a user, the URL, slug or id of a link, the id of a request or restore. All are compared as a whole. Or the `device` of a restore, or the id of a device that is registered for push, or the first 8 characters of these, or more.',
    ),
};
type Query = z.output<z.ZodObject<typeof restoreFilter>>;

export const linkOf = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string().nullable(),
  destination: z.string(),
  url: z.string(),
});
const keyOf = z.object({ id: z.uuid(), label: z.string(), hint: z.string() });
const [toLink, toKey] = [reader(linkOf), reader(keyOf)];
const restoreView = ListRestores.reply.shape.restores.element.extend({
  near: z
    .array(NearTap)
    .describe(
      'The taps of the app before a start that had no tap to consider, in 24 hours: the latest of all, and the latest at its address. `here`: at its address; null: it has none. `closed`: given or opened before.',
    ),
  advice: Advice.nullable().describe('What would have found the tap. Null: a link was found, or nothing is known.'),
});

/** Restores in an answer, with what they name. */
export const Shown = {
  restores: z.array(restoreView),
  links: z.array(linkOf).describe('The links that these restores name, as they are now.'),
  keys: z.array(keyOf).describe('The keys that these restores name.'),
};

export const listRestores = manageRoute('GET /api/manage/apps/:appId/restores', {
  summary:
    'List the first start of each install, newest first; also later restores that had a candidate, with their links, the reasons, and what would have found a link',
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery.extend(restoreFilter),
  reply: z.object({ ...Shown, next: next() }),
  async handle({ params: { appId }, query }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const { limit, cursor, ...wanted } = query;
    const filter = { ...filterOf(wanted), of: await searched(appId, wanted, parts) };
    const { restores, next } = await parts.forward(ListRestores, { appId, limit, cursor, filter, near: true });
    return { ...(await shownRestores(app, restores, parts)), next };
  },
});

export async function shownRestores(app: App, restores: readonly Restore[], parts: ConsoleParts) {
  const linkIds = restores.flatMap(({ considered, near }) => [...considered, ...near].map((one) => one.linkId));
  const [links, keys] = await Promise.all([shownLinksOf(app, linkIds, parts), keysOf(app.id, restores, parts)]);
  return {
    restores: restores.map((restore) => ({ ...restore, advice: adviceFor(restore, app) })),
    links,
    keys: keys.map(toKey),
  };
}

const filterOf = ({ state, platform, keyId, linkId, from, before }: Query) => ({
  state: state ?? null,
  platform: platform ?? null,
  keyId: keyId ?? null,
  linkId: linkId ?? null,
  from: from ? inUtc(from) : null,
  before: before ? inUtc(before) : null,
});

const ID = z.uuid();
/** Ids of requests, ours and those of a proxy. */
const REQUEST = /^[\w.:-]{1,100}$/;

/**
 * A text may be a fingerprint, a device, a user, a link, a request or a restore: all are looked for. Fingerprints and users become hashes, and of a URL the
 * last part of its path counts. A device that is registered for push stands for its user.
 */
export async function searched(appId: string, { search }: Pick<Query, 'search'>, parts: ConsoleParts) {
  if (search === undefined) return null;
  const { hashes, lookups } = parts;
  const given = search.trim();
  const slug = URL.canParse(given) ? new URL(given).pathname.split('/').at(-1)! : given;
  const link = slug === '' ? null : await lookups.slug(appId, slug);
  const ids = ID.safeParse(given).success ? [given.toLowerCase()] : [];
  return {
    ids,
    ...namedDevices(given, hashes),
    users: [hashes.email(given), ...(await usersOfRegistrations(appId, given, parts))],
    requestIds: REQUEST.test(given) ? [given] : [],
    linkIds: [...(link === null ? [] : [link.id]), ...ids],
  };
}

/** Links that are looked up at a time. The cache has most of them. */
const AT_ONCE = 50;

/** Returns the links with these ids. A link of another app is none of them. */
export async function shownLinksOf(app: App, linkIds: readonly string[], { lookups, config }: ConsoleParts) {
  const ids = [...new Set(linkIds)];
  const links: (Link | null)[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE)
    links.push(...(await Promise.all(ids.slice(at, at + AT_ONCE).map(lookups.link))));
  return links
    .filter((link) => link !== null)
    .filter((link) => link.appId === app.id)
    .map((link) => toLink({ ...link, name: link.name ?? null, url: linkUrl(app, link, config) }));
}

async function keysOf(appId: string, restores: readonly Restore[], { account }: ConsoleParts) {
  const named = new Set(restores.map(({ keyId }) => keyId));
  return (await account.keys.list(appId)).filter(({ id }) => named.has(id));
}
