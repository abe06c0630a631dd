// Routes that create links: one, or many in one call.
import { destination, metadata } from '@landfall/contracts';
import { z } from 'zod';
import { createdView } from '../links/link-view.ts';
import { ownSlug, short } from '../links/slugs.ts';
import { omitEmpty } from '../routing/empty-fields.ts';
import { route, type Uses } from '../routing/route.ts';
import { createdLink, LARGE_BODY_BYTES, tolerated } from './fields.ts';
import { givenKey, idempotencyHeader, idempotencyKey, makeLink, orLimit, orTaken } from './make-link.ts';
import { failedRow, MAX_LINKS, makeRows, rowsOf } from './make-rows.ts';

export const createSdk = route('POST /api/links/create-sdk', {
  summary: 'Create a deep link',
  spec: '4.2',
  auth: 'any-key',
  limit: 'create-link',
  serverLimit: 'server-create',
  headers: idempotencyHeader,
  body: z.object({ destination: destination(), metadata: metadata().optional(), ...tolerated }),
  reply: z.object({ link: createdLink }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'APP_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ body, key, header }, parts: Uses<'bus' | 'lookups' | 'config'>) {
    const wanted = { ...body, idempotencyKey: givenKey(header('idempotency-key')) };
    const link = orLimit(await makeLink(key, wanted, parts.bus));
    parts.lookups.made(key.app, link);
    return { link: createdView(key.app, link, parts.config) };
  },
});

const wanted = omitEmpty(
  z.object({
    destination: destination(),
    metadata: metadata().optional(),
    slug: ownSlug().optional(),
    short: short(),
    idempotencyKey: idempotencyKey()
      .optional()
      .describe('The same key makes the same link, like the header of a create.'),
  }),
);

export const createBulk = route('POST /api/links/create-bulk', {
  summary: `Create up to ${MAX_LINKS.toLocaleString('en')} independent deep links; with a server key, and a body of at most 1 MB`,
  auth: 'server-key',
  limit: 'create-link',
  serverLimit: 'server-create',
  bodyBytes: LARGE_BODY_BYTES,
  faultsByRow: true,
  body: z.object({ links: rowsOf(wanted) }),
  reply: z.object({
    outcomes: z
      .array(z.union([z.object({ success: z.literal(true), link: createdLink }), failedRow]))
      .describe('One for each link, in the same order.'),
    created: z.int().describe('Links that were created, or already existed for the same key.'),
    failed: z.int(),
  }),
  async handle({ body: { links }, key, requestId }, parts: Uses<'bus' | 'lookups' | 'config' | 'log'>) {
    const make = async (link: z.output<typeof wanted>) => {
      const { slug, ...rest } = link;
      const made = orTaken(await makeLink(key, { ...rest, ...(slug !== undefined && { more: { slug } }) }, parts.bus));
      parts.lookups.made(key.app, made);
      return { link: createdView(key.app, made, parts.config) };
    };
    const outcomes = await makeRows({ rows: links, row: wanted, requestId, make }, parts);
    const created = outcomes.filter(({ success }) => success).length;
    return { outcomes, created, failed: outcomes.length - created };
  },
});
