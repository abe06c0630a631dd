// Imports links of a file, after a dry run that checks each row.

import { destination, EditLink, FindUsage, metadata } from '@landfall/contracts';
import {
  failedRow,
  idempotencyKey,
  LARGE_BODY_BYTES,
  limitReached,
  MAX_LINKS,
  makeLink,
  makeRows,
  rowsOf,
} from '@landfall/gateway';
import { orRefuse, strict } from '@landfall/http';
import { z } from 'zod';
import { hasPassed, linkExpiry, linkView, viewLink } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

const row = strict(
  z.object({
    destination: destination(),
    metadata: metadata().optional(),
    expiresAt: linkExpiry(),
    archived: z.boolean().default(false).describe('Archives the link at once.'),
    idempotencyKey: idempotencyKey()
      .optional()
      .describe('The same key makes the same link. Give one to each row, so that an import may be repeated.'),
  }),
);

/** An export has expired links, and comes back with them. So they are no faults. */
const EXPIRED = 'expiresAt has passed: the link does not work';

export const importLinks = manageRoute('POST /api/manage/apps/:appId/links/import', {
  summary: `Create up to ${MAX_LINKS.toLocaleString('en')} independent links, or only check them. If the plan has not enough left for all, none is created`,
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
    const { actor, params, body, requestId, change } = call;
    const { bus, config, forward, lookups, now } = parts;
    const app = await lookups.existingApp(params.appId);
    const month = now().toISOString().slice(0, 7);
    const { linksCreated } = await forward(FindUsage, { appId: app.id, month });
    const { linksPerMonth: limit, name: plan } = app.plan;
    const left = limit === null ? null : Math.max(0, limit - linksCreated);
    if (!body.dryRun && left !== null && body.links.length > left)
      throw limitReached({ currentCount: linksCreated, limit: limit!, plan });
    const after = { links: body.links.length };
    const noted = { subject: app.id, teamId: app.teamId, appId: app.id, after, done: {} };
    if (!body.dryRun) await change('ImportLinks', async () => noted);

    async function make({ expiresAt, archived, ...wanted }: z.output<typeof row>) {
      const warned = hasPassed(expiresAt, now()) && { warning: EXPIRED };
      if (body.dryRun) return { link: null, ...warned };
      const made = orRefuse(await makeLink({ app, kind: 'manage' }, wanted, bus)).link;
      const state = { ...(expiresAt !== null && { expiresAt }), ...(archived && { archived }) };
      if (Object.keys(state).length === 0) return { link: viewLink(app, made, config) };
      const change = { linkId: made.id, ...state, labelKeys: app.labels, ifVersion: null };
      const edited = await forward(EditLink, { actor: actor(), teamId: app.teamId, ...change });
      return { link: viewLink(app, edited.link, config), ...warned };
    }

    const outcomes = await makeRows({ rows: body.links, row, requestId, make }, parts);
    const created = outcomes.filter(({ success }) => success).length;
    return { outcomes, created, failed: outcomes.length - created, left };
  },
});
