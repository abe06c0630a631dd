import { NoAnswer } from '@landfall/bus';
import { destination, metadata } from '@landfall/contracts';
import { createSlots } from '@landfall/runtime';
import { z } from 'zod';
import { ApiError, errorBody, invalid, toApiError } from '../http/errors.ts';
import { findFault } from '../http/read-body.ts';
import type { KnownKey } from '../lookups/lookups.ts';
import { orRefuse, route, type Uses } from '../routing/route.ts';
import { createdLink, LARGE_BODY_BYTES, orNothing } from './fields.ts';
import { createdView } from './link-view.ts';
import { idempotencyKey, makeLink } from './make-link.ts';

const MAX_LINKS = 1_000;

/**
 * Limits the bulk links in progress in this process to half of the requests that one service accepts at once. The rest
 * is for other routes.
 */
const links = createSlots(100);
/** The maximum number of bulk calls at once. Further calls are refused before any work is done for them. */
const MAX_CALLS = 8;
let calls = 0;

const wanted = z.object({
  destination: destination(),
  metadata: orNothing(metadata()),
  idempotencyKey: idempotencyKey()
    .optional()
    .describe('The same key makes the same link, like the header of a create.'),
});

const { $schema: _, ...wantedSchema } = z.toJSONSchema(wanted, { io: 'input', unrepresentable: 'any' });

const outcome = z.union([
  z.object({ success: z.literal(true), link: createdLink }),
  z.object({
    success: z.literal(false),
    code: z.string(),
    error: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
]);
type RowOutcome = z.input<typeof outcome>;

export const createBulk = route({
  method: 'POST',
  path: '/api/links/create-bulk',
  name: 'createLinks',
  tag: 'links',
  summary: `Create up to ${MAX_LINKS.toLocaleString('en')} independent deep links; with a server key, and a body of at most 1 MB`,
  auth: 'server-key',
  limit: 'create-link',
  serverLimit: 'server-create',
  bodyBytes: LARGE_BODY_BYTES,
  faultsByRow: true,
  body: z.object({
    // Each link is validated separately, so one invalid link does not stop the others.
    links: z.array(z.unknown().meta(wantedSchema)).min(1).max(MAX_LINKS),
  }),
  reply: z.object({
    outcomes: z.array(outcome).describe('One for each link, in the same order.'),
    created: z.int().describe('Links that were created, or already existed for the same key.'),
    failed: z.int(),
  }),
  errors: [],
  async handle({ body, key, requestId }, parts: Uses<'bus' | 'config' | 'log'>) {
    if (calls >= MAX_CALLS) throw new ApiError('BUSY', undefined, { headers: { 'Retry-After': '1' } });
    calls++;
    try {
      const outcomes = await makeAll(body.links, key, requestId, parts);
      const created = outcomes.filter(({ success }) => success).length;
      return { outcomes, created, failed: outcomes.length - created };
    } finally {
      calls--;
    }
  },
});

async function makeAll(
  rows: readonly unknown[],
  key: KnownKey,
  requestId: string,
  parts: Uses<'bus' | 'config' | 'log'>,
): Promise<RowOutcome[]> {
  /**
   * True after a request without an answer. The remaining links then fail at once, and do not wait one after the other.
   */
  let silent = false;

  async function make(row: unknown): Promise<RowOutcome> {
    try {
      const link = parse(row);
      return await links.run(async () => {
        if (silent) throw new ApiError('BUSY');
        const made = orRefuse(await makeLink(key, link, parts));
        return { success: true, link: createdView(key.app, made.link, parts.config) };
      });
    } catch (error) {
      silent ||= error instanceof NoAnswer;
      return failed(toApiError(error, parts.log, requestId));
    }
  }

  return Promise.all(rows.map(make));
}

function parse(row: unknown): z.output<typeof wanted> {
  const fault = findFault(row);
  if (fault) throw new ApiError('INVALID_REQUEST', [fault]);
  const parsed = wanted.safeParse(row);
  if (!parsed.success) throw invalid(parsed.error);
  return parsed.data;
}

const failed = (error: ApiError): RowOutcome => ({
  success: false,
  ...(errorBody(error) as { error: string; code: string }),
});
