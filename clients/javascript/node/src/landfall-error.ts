/** A field that the server refuses. */
export interface Fault {
  /** Its name in the body or the query: `metadata.utm.source`. */
  path: string;
  message: string;
}

interface Facts {
  code: string;
  status?: number | null;
  faults?: readonly Fault[];
  retryAfterSeconds?: number | null;
  requestId?: string | null;
  body?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** An answer that is not a success, or no answer at all. The message is a sentence for developers. */
export class LandfallError extends Error {
  override readonly name = 'LandfallError';
  /**
   * What went wrong, as a word: `INVALID_REQUEST`, `UNAUTHORIZED`, `RATE_LIMITED`. The API reference lists the codes of
   * each call. `NO_ANSWER`: nobody knows whether the server has done it.
   */
  readonly code: string;
  /** The status of the answer. Null without an answer, and for a row of `createMany`. */
  readonly status: number | null;
  /** The fields that the server refuses. Often empty. */
  readonly faults: readonly Fault[];
  /** Seconds to wait before the next try, if the server said so. */
  readonly retryAfterSeconds: number | null;
  /** The id of the request in the log of the server. */
  readonly requestId: string | null;
  /** The whole answer, with further facts: `limit` and `currentCount` of a plan, for example. Empty without one. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: Facts) {
    super(message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.faults = facts.faults ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.requestId = facts.requestId ?? null;
    this.body = facts.body ?? {};
  }
}

type Refusal = Pick<Facts, 'status' | 'retryAfterSeconds' | 'requestId'>;

/** Makes the error of a refusal's body: of an answer, or of one row. Null: the body is no refusal of the server. */
export function refusalIn(body: unknown, facts: Refusal = {}): LandfallError | null {
  if (!isObject(body) || typeof body.error !== 'string') return null;
  const code = typeof body.code === 'string' ? body.code : 'UNKNOWN';
  const faults = Array.isArray(body.details) ? body.details.filter(isFault) : [];
  return new LandfallError(body.error, { ...facts, code, faults, body });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFault = (value: unknown): value is Fault =>
  isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
