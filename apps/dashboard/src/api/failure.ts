// An answer that is no success, as one kind of error for the whole app.

interface FieldFault {
  path: string;
  message: string;
}

export class ApiFailure extends Error {
  override name = 'ApiFailure';

  /** The status of the answer. 0: there was no answer. */
  readonly status: number;
  /** The code of the API. `UNREACHABLE`: there was no answer, or an answer of something else than Landfall. */
  readonly code: string;
  readonly details: readonly FieldFault[];
  readonly requestId: string | null;
  /** Free names, when the one that was asked for is taken. */
  readonly suggestions: readonly string[];

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly FieldFault[] = [],
    requestId: string | null = null,
    suggestions: readonly string[] = [],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.suggestions = suggestions;
  }
}

/** True when the same request may succeed later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.code === 'UNREACHABLE' || error.status >= 500 || error.status === 429);

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ApiFailure && codes.includes(error.code);

const unreachable = (status: number, requestId: string | null): ApiFailure =>
  new ApiFailure(status, 'UNREACHABLE', 'Landfall does not answer.', [], requestId);

/** Reads the error of an answer. A proxy in front of Landfall may answer with HTML. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  try {
    const { error, code, details, suggestions } = await response.json();
    if (typeof error !== 'string' || typeof code !== 'string') return unreachable(status, requestId);
    return new ApiFailure(status, code, error, details, requestId, suggestions);
  } catch {
    return unreachable(status, requestId);
  }
}

export const noAnswer = (): ApiFailure => unreachable(0, null);
