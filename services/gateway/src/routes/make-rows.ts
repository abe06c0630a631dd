// Makes many independent links in one call. A faulty row does not stop the others.

import { NoAnswer } from '@landfall/bus';
import { ApiError, busy, errorBody, findFault, parsed, toApiError } from '@landfall/http';
import type { Logger } from '@landfall/runtime';
import pLimit from 'p-limit';
import { z } from 'zod';

export const MAX_LINKS = 1_000;

/** Half of the requests that one service accepts at once. The rest is for other routes. */
const limit = pLimit(100);
/** The maximum number of bulk calls at once. Further calls are refused before any work is done for them. */
const MAX_CALLS = 8;
let calls = 0;

/** The schema of a body's rows. Each row is checked by itself, with {@link makeRows}. */
export function rowsOf(row: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(row, { io: 'input', unrepresentable: 'any' });
  return z.array(z.unknown().meta(schema)).min(1).max(MAX_LINKS);
}

export const failedRow = z.object({
  success: z.literal(false),
  code: z.string(),
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  suggestions: z.array(z.string()).optional().describe('Free slugs, when the slug of the row is taken.'),
});
export type FailedRow = z.input<typeof failedRow>;

interface Rows<S extends z.ZodType, T> {
  rows: readonly unknown[];
  row: S;
  requestId: string;
  make: (row: z.output<S>) => Promise<T>;
}

/** Makes each row. Returns an outcome for each row, in the same order. Throws BUSY before it begins. */
export async function makeRows<S extends z.ZodType, T>(
  { rows, row: schema, requestId, make }: Rows<S, T>,
  { log }: { log: Logger },
): Promise<(({ success: true } & T) | FailedRow)[]> {
  if (calls >= MAX_CALLS) throw busy();
  calls++;
  /** True after a request without an answer. The remaining rows then fail at once. */
  let silent = false;

  async function one(row: unknown) {
    try {
      const fault = findFault(row);
      if (fault) throw new ApiError('INVALID_REQUEST', [fault]);
      const read = parsed(schema, row);
      return await limit(async () => {
        if (silent) throw new ApiError('BUSY');
        return { success: true as const, ...(await make(read)) };
      });
    } catch (error) {
      silent ||= error instanceof NoAnswer;
      return failed(toApiError(error, log, requestId));
    }
  }

  try {
    return await Promise.all(rows.map(one));
  } finally {
    calls--;
  }
}

const failed = (error: ApiError): FailedRow => ({
  success: false,
  ...(errorBody(error) as { error: string; code: string }),
});
