// Imports links of a file, after a dry run that checks each row.

import { type App, destination, EditLink, FindUsage, type Link, metadata, ResolveLink } from '@landfall/contracts';
import {
  failedRow,
  idempotencyKey,
  importedSlug,
  LARGE_BODY_BYTES,
  limitReached,
  linkId,
  MAX_LINKS,
  makeLink,
  makeRows,
  orTaken,
  rowsOf,
  short,
} from '@landfall/gateway';
import { ApiError, strict } from '@landfall/http';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { hasPassed, linkExpiry } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { utmValue, withUtm } from '../utm/with-utm.ts';
import { assertElsewhere, linkInput, linkView, tagList, tagsInText, viewLinks } from './link-fields.ts';
import { linksById } from './links-by-id.ts';

/** Landfall makes such slugs. */
const GENERATED = /^\d{13}-[a-z0-9]{12,20}$/;

const utmColumns = {
  utm_source: utmValue().optional().describe('Is written into the query of the destination, as the other `utm_*`.'),
  utm_medium: utmValue().optional(),
  utm_campaign: utmValue().optional(),
  utm_term: utmValue().optional(),
  utm_content: utmValue().optional(),
};

const row = strict(
  z.object({
    destination: destination(),
    metadata: metadata().optional(),
    expiresAt: linkExpiry(),
    archived: z.boolean().default(false).describe('Archives the link at once.'),
    idempotencyKey: idempotencyKey()
      .optional()
      .describe('The same key makes the same link. Give one to each row, so that an import may be repeated.'),
    ...linkInput,
    tags: z.union([tagList(), tagsInText()]).optional().describe('A list, or one text: `spring, poster`.'),
    slug: z
      .union([z.string().regex(GENERATED), importedSlug()], {
        error: 'must be 2 to 64 letters, digits, "-" and "_", begin with a letter or digit, and be no path of Landfall',
      })
      .optional()
      .describe(
        'The path of the link. Capitals stay, because printed links have them. If Landfall made it in another app, the link gets a new one.',
      ),
    short: short(),
    ...utmColumns,
  }),
);
type Row = z.output<typeof row>;

/** An export has expired links, and comes back with them. So they are no faults. */
const EXPIRED = 'the expiry has passed: the link does not work';
const NEW_SLUG = 'the slug is one that Landfall makes: the link gets a new one';

export const importLinks = manageRoute('POST /api/manage/apps/:appId/links/import', {
  summary: `Create up to ${MAX_LINKS.toLocaleString('en')} independent links, or only check them. If the plan has not enough left for all new ones, none is created`,
  needs: { role: 'member', of: 'app' },
  bodyBytes: LARGE_BODY_BYTES,
  faultsByRow: true,
  body: z.object({
    links: rowsOf(row),
    dryRun: z.boolean().default(false).describe('Checks every row and creates nothing.'),
  }),
  reply: z.object({
    outcomes: z
      .array(
        z.union([
          z.object({
            success: z.literal(true),
            link: linkView.nullable().describe('Null in a dry run.'),
            existed: z.literal(true).optional().describe('The link was there before this call, with the same key.'),
            warning: z
              .string()
              .optional()
              .describe('Why the link does not work, though nothing is wrong with the row.'),
          }),
          failedRow,
        ]),
      )
      .describe('One for each link, in the same order.'),
    created: z
      .int()
      .describe('Links that were created, or already existed for the same key. In a dry run: those that would be.'),
    failed: z.int(),
    left: z.int().nullable().describe('Links that the plan had left in this month before the call. Null: no limit.'),
  }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED'],
  async handle(call, parts) {
    const { actor, params, body, requestId, change, caller } = call;
    const { forward, lookups, now } = parts;
    const app = await lookups.existingApp(params.appId);
    const month = now().toISOString().slice(0, 7);
    const { linksCreated } = await forward(FindUsage, { appId: app.id, month });
    const { linksPerMonth: limit, name: plan } = app.plan;
    const left = limit === null ? null : Math.max(0, limit - linksCreated);
    const idOf = (key: string) => linkId(app.id, 'manage', key);
    const known = await linksById(app.id, keysOf(body.links).map(idOf), parts);
    if (!body.dryRun && left !== null && body.links.length - known.size > left)
      throw limitReached({ currentCount: linksCreated, limit: limit!, plan });
    const after = { links: body.links.length };
    const noted = { subject: app.id, teamId: app.teamId, appId: app.id, after, done: {} };
    if (!body.dryRun) await change('ImportLinks', async () => noted);

    const slugs = new Set<string>();

    async function make(given: Row): Promise<{ link: Link | null; warning?: string; existed?: true }> {
      const { archived, idempotencyKey, short, destination, metadata, ...more } = wantedOf(given, app, parts);
      const warnings = [
        ...(hasPassed(more.expiresAt, now()) ? [EXPIRED] : []),
        ...(given.slug !== undefined && more.slug === undefined ? [NEW_SLUG] : []),
      ];
      const warned = {
        ...(warnings.length > 0 && { warning: warnings.join('; ') }),
        ...(idempotencyKey !== undefined && known.has(idOf(idempotencyKey)) && { existed: true as const }),
      };
      if (body.dryRun) {
        if (more.slug !== undefined) await assertFree(more.slug, idempotencyKey);
        return { link: null, ...warned };
      }
      const wanted = { destination, metadata, idempotencyKey, short, more };
      const made = orTaken(await makeLink({ app, kind: 'manage', actor: actor() }, wanted, parts.bus));
      if (!archived) return { link: made, ...warned };
      const change = { linkId: made.id, archived, labelKeys: app.labels, ifVersion: null };
      const edited = await forward(EditLink, { actor: actor(), teamId: app.teamId, ...change });
      return { link: edited.link, ...warned };
    }

    /** A row that is imported again has its slug itself. */
    async function assertFree(slug: string, key: string | undefined): Promise<void> {
      if (slugs.has(slug)) throw new ApiError('SLUG_TAKEN', [{ path: 'slug', message: 'is in an earlier row, too' }]);
      slugs.add(slug);
      const found = await parts.bus.ask(ResolveLink, { appId: app.id, slug });
      if (found.ok && (key === undefined || found.reply.link.id !== idOf(key)))
        throw new ApiError('SLUG_TAKEN', [{ path: 'slug', message: 'is taken in this app' }]);
    }

    const made = await makeRows({ rows: body.links, row, requestId, make }, parts);
    const links = made.flatMap((one) => (one.success && one.link ? [one.link] : []));
    const views = await viewLinks(app, links, parts, caller);
    const outcomes = made.map((one) => (one.success ? { ...one, link: one.link ? views.shift()! : null } : one));
    const created = outcomes.filter(({ success }) => success).length;
    return { outcomes, created, failed: outcomes.length - created, left };
  },
});

/** Returns the keys of rows that are not checked yet. */
const keysOf = (rows: readonly unknown[]): string[] =>
  rows.flatMap((row) => z.looseObject({ idempotencyKey: idempotencyKey() }).safeParse(row).data?.idempotencyKey ?? []);

/** Returns the link that a row describes, with its campaign in its destination. */
function wantedOf({ slug, ...given }: Row, app: App, parts: ConsoleParts) {
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, ...wanted } = given;
  const utm = { source: utm_source, medium: utm_medium, campaign: utm_campaign, term: utm_term, content: utm_content };
  const destination = withUtm(wanted.destination, utm);
  if (destination.length > MAX_DESTINATION)
    throw new ApiError('INVALID_REQUEST', [{ path: 'destination', message: 'is too long with its utm_* values' }]);
  assertElsewhere(wanted, app, parts);
  const chosen = slug !== undefined && !GENERATED.test(slug) ? { slug } : {};
  return { ...wanted, destination, slug: undefined, ...chosen };
}

const MAX_DESTINATION = 2_048;
