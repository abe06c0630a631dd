// The fields that people give a link, as the management API takes and shows them.
import {
  type App,
  Link,
  type LinkFields,
  MAX_LINK_TAGS,
  NAME_LENGTH,
  NOTE_LENGTH,
  nameText,
  tag,
  text,
  URL_LENGTH,
} from '@landfall/contracts';
import { linkUrl, ownHosts } from '@landfall/gateway';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { ConsoleParts } from '../parts.ts';

/** A tag as people type it: two tags that differ only in capitals or blanks at the ends are one. */
export const tagText = () =>
  z
    .string()
    .max(200)
    .transform((given) => given.normalize('NFC').trim().toLowerCase())
    .pipe(tag());

const given = () =>
  z
    .array(tagText())
    .max(MAX_LINK_TAGS)
    .transform((tags) => [...new Set(tags)]);

export const tagList = () => given().describe('Words to find and group links by. Capitals become small letters.');

/** Tags in one text, as in a file: `spring, poster`. */
export const tagsInText = () =>
  text(2_000)
    .transform((all) => all.split(',').filter((one) => one.trim() !== ''))
    .pipe(given());

const pageUrl = () =>
  text(URL_LENGTH)
    .refine((url) => /^https:\/\/\S+$/i.test(url) && URL.canParse(url), { error: 'must be an https URL' })
    .nullable()
    .optional();

export const linkInput = {
  name: nameText(NAME_LENGTH).nullable().optional().describe('A name for people. It is shown instead of the slug.'),
  note: text(NOTE_LENGTH)
    .nullable()
    .optional()
    .transform((note) => (note?.trim() === '' ? null : note))
    .describe('For the team only: it is in no event, and no app gets it.'),
  webUrl: pageUrl().describe("Opens instead of the app's web page, without the destination."),
  iosUrl: pageUrl().describe("Opens instead of the app's page in the App Store."),
  androidUrl: pageUrl().describe("Opens instead of the app's page in Google Play."),
  expiredUrl: pageUrl().describe('Opens when the link has expired.'),
};

const URLS = ['webUrl', 'iosUrl', 'androidUrl', 'expiredUrl'] as const;

/** Throws 400 when one of the URLs leads back to a link host: a tap would go round for ever. */
export function assertElsewhere(fields: LinkFields, app: App, { config, hosts }: ConsoleParts): void {
  const own = ownHosts(app, config);
  const details = URLS.filter((name) => {
    const { host = '' } = URL.parse(fields[name] ?? '') ?? {};
    return host !== '' && (own.includes(host) || hosts.isOurs(host));
  }).map((path) => ({ path, message: 'must not be on a host of this app or of Landfall' }));
  if (details.length > 0) throw new ApiError('INVALID_REQUEST', details);
}

const { madeBy: _, ...shown } = Link.shape;
const textOrNull = () => z.string().nullable();

export const linkView = z.object({
  ...shown,
  name: textOrNull(),
  note: textOrNull(),
  tags: z.array(z.string()),
  webUrl: textOrNull(),
  iosUrl: textOrNull(),
  androidUrl: textOrNull(),
  expiredUrl: textOrNull(),
  url: z.string(),
  createdBy: z
    .object({
      kind: z.enum(['person', 'token', 'operator']),
      userId: z.uuid().nullable().describe('The person, also when a token was used.'),
      name: z.string().nullable().describe('The current name of the person.'),
    })
    .nullable()
    .describe('Who made the link. Null: an SDK or server key.'),
});
export type LinkView = z.input<typeof linkView>;

/** Shows links of an app. A visitor of the public demo sees no notes, and not who made a link. */
export async function viewLinks(
  app: App,
  links: readonly Link[],
  parts: ConsoleParts,
  { kind }: Pick<Caller, 'kind'>,
): Promise<LinkView[]> {
  const isVisitor = kind === 'visitor';
  const makers = new Set(links.map(({ madeBy }) => madeBy?.userId).filter((id) => typeof id === 'string'));
  const names = await parts.account.people.namesOf([...makers]);
  return links.map(({ madeBy, ...link }) => ({
    ...link,
    name: link.name ?? null,
    note: isVisitor ? null : (link.note ?? null),
    tags: link.tags ?? [],
    webUrl: link.webUrl ?? null,
    iosUrl: link.iosUrl ?? null,
    androidUrl: link.androidUrl ?? null,
    expiredUrl: link.expiredUrl ?? null,
    url: linkUrl(app, { ...link, madeBy }, parts.config),
    createdBy: madeBy && !isVisitor ? { ...madeBy, name: names.get(madeBy.userId ?? '') ?? null } : null,
  }));
}

export async function viewLink(
  app: App,
  link: Link,
  parts: ConsoleParts,
  caller: Pick<Caller, 'kind'>,
): Promise<LinkView> {
  const [view] = await viewLinks(app, [link], parts, caller);
  return view!;
}
