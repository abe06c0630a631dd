// Makes links in bulk: parts the rows into calls, and repeats what had no answer under the same keys.
import type { CreatedLink, NewLink, Operation, ReplyOf } from './api-types.ts';
import { isObject, LandfallError, refusalIn } from './landfall-error.ts';
import type { CallOptions, Send } from './send.ts';
import { type Limits, patience } from './waits.ts';

/** A link of `createMany`. */
export interface LinkRow extends NewLink {
  /** As `idempotencyKey` of `create`. Give one if you may call `createMany` again with the same rows. */
  idempotencyKey?: string;
}

/** The outcome of a row. `idempotencyKey` is the one that it was sent with. */
export type Outcome =
  | { success: true; idempotencyKey: string; link: CreatedLink }
  | { success: false; idempotencyKey: string; error: LandfallError };

/** The limits of one call. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 1_048_576;
const FRAME_BYTES = '{"links":[]}'.length;

/** Of a call that was answered, single rows may have had no answer. They are tried again as often as a call. */
const LIMITS: Limits = { retries: 4, retryForSeconds: 120 };
/** The server did nothing, or does not know. */
const UNANSWERED = ['BUSY', 'NO_ANSWER', 'FAILED'];

interface Row {
  idempotencyKey: string;
  json: string;
  bytes: number;
  outcome?: Outcome;
}

export async function createMany(
  rows: readonly LinkRow[],
  send: Send,
  given: CallOptions & Partial<Limits>,
): Promise<Outcome[]> {
  const options = { ...LIMITS, ...given };
  const all = rows.map(toRow);
  for (const row of all) if (row.bytes + FRAME_BYTES > MOST_BYTES) fail([row], tooLarge());
  let failure: LandfallError | null = null;
  for (const chunk of chunksOf(all.filter(({ outcome }) => outcome === undefined))) {
    failure = await makeChunk(chunk, send, options);
    if (failure) break;
  }
  if (failure) {
    // After a call that failed as a whole the next one would fail, too: the key is wrong, or the server is away.
    if (!all.some(({ outcome }) => outcome?.success)) throw failure;
    fail(
      all.filter(({ outcome }) => outcome === undefined),
      failure,
    );
  }
  return all.map(({ outcome }) => outcome!);
}

function toRow({ destination, metadata, idempotencyKey = crypto.randomUUID() }: LinkRow): Row {
  const json = JSON.stringify({ destination, metadata, idempotencyKey });
  return { idempotencyKey, json, bytes: new TextEncoder().encode(json).length };
}

function* chunksOf(rows: readonly Row[]): Generator<Row[]> {
  let chunk: Row[] = [];
  let bytes = FRAME_BYTES;
  for (const row of rows) {
    const more = row.bytes + (chunk.length > 0 ? 1 : 0);
    if (chunk.length === MOST_ROWS || bytes + more > MOST_BYTES) {
      yield chunk;
      [chunk, bytes] = [[], FRAME_BYTES];
    }
    bytes += row.bytes + (chunk.length > 0 ? 1 : 0);
    chunk.push(row);
  }
  if (chunk.length > 0) yield chunk;
}

/** Makes the links of one call. Returns the error of a call that failed as a whole, or null. */
async function makeChunk(chunk: readonly Row[], send: Send, options: CallOptions & Limits) {
  const waits = patience(options, options.signal);
  let waiting = chunk;
  for (;;) {
    try {
      read(waiting, await send(callOf(waiting, options)));
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      // Rows of an earlier try have an outcome that says less.
      fail(waiting, error);
      return error;
    }
    waiting = waiting.filter(isUnanswered);
    const [first] = waiting;
    if (first?.outcome?.success !== false || !(await waits.hasWaited(first.outcome.error))) return null;
  }
}

const callOf = (rows: readonly Row[], { signal, retryForSeconds }: CallOptions & Limits) => ({
  ...(signal && { signal }),
  retryForSeconds,
  method: 'POST',
  path: '/api/links/create-bulk',
  body: `{"links":[${rows.map(({ json }) => json).join()}]}`,
  repeatable: true,
});

type Answer = ReplyOf<Operation<'POST', '/api/links/create-bulk'>>;

function read(rows: readonly Row[], answer: unknown): void {
  const { outcomes } = answer as Answer;
  rows.forEach((row, index) => {
    const { idempotencyKey } = row;
    const outcome: unknown = outcomes[index];
    if (isObject(outcome) && outcome.success === true)
      row.outcome = { success: true, idempotencyKey, link: outcome.link as CreatedLink };
    else fail([row], refusalIn(outcome) ?? new LandfallError('The row has no outcome.', { code: 'NO_ANSWER' }));
  });
}

function fail(rows: readonly Row[], error: LandfallError): void {
  for (const row of rows) row.outcome = { success: false, idempotencyKey: row.idempotencyKey, error };
}

const isUnanswered = ({ outcome }: Row): boolean =>
  outcome?.success === false && UNANSWERED.includes(outcome.error.code);

const tooLarge = () =>
  new LandfallError('The row is larger than 1 MB, which is the limit of a whole call.', { code: 'BODY_TOO_LARGE' });
