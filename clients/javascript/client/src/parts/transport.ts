// Requests to the API, and what counts as an answer.
import { searchOf } from '../address.ts';
import type { Options } from '../landfall.ts';
import { type Fields, fieldsOf, textOf } from '../link.ts';
import { bounded, type System } from '../system.ts';

/** Milliseconds after which a request ends. */
const TIMEOUT_MS = 15_000;

/** Why `resolve` or `create` failed. */
export class LandfallError extends Error {
  /** `NO_ANSWER`, `NO_CONSENT`, `FORGOTTEN`, or the code of the server's refusal. */
  readonly code: string;
  /** The HTTP status. Null if there was no answer. */
  readonly status: number | null;
  /** When to try again. Null if the server does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(code: string, message: string, status: number | null = null, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = 'LandfallError';
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An answer that counts, or a refusal. */
export interface Outcome {
  readonly ok: boolean;
  readonly status: number;
  readonly body: Fields;
  readonly retryAfterSeconds: number | null;
}

export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** With a body it is a POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** False: without the key. */
  readonly key?: boolean;
  readonly origin?: string;
}

/** Returns null if there was no answer. Never rejects. */
export type Ask = (question: Question) => Promise<Outcome | null>;

/** @param appVersion the version of the app, if the system tells it */
export function transport(
  { url, key }: Options,
  system: System,
  appVersion: () => Promise<string | undefined>,
  problem: (sentence: string) => void,
): Ask {
  const said = new Set<string>();

  return async (question) => {
    const outcome = await send(question).catch(() => null);
    if (outcome && outcome.status === 401) refused(outcome.body);
    return outcome;
  };

  async function send({ path, query, body, key: withKey = true, origin = url }: Question): Promise<Outcome | null> {
    const version = await appVersion();
    const headers: Record<string, string> = { 'x-landfall-client': system.client };
    if (withKey) headers['x-service-sdk-key'] = key;
    // Other characters would fail every request.
    if (version !== undefined && /^[ -~]{1,50}$/.test(version)) headers['x-app-version'] = version;
    if (body) headers['content-type'] = 'application/json';
    const { AbortController: Controller } = globalThis as {
      AbortController?: new () => { readonly signal: unknown; abort(): void };
    };
    const controller = Controller && new Controller();
    let outcome: Outcome | null = null;
    const exchange = async () => {
      const answer = await system.fetch(origin.replace(/\/+$/, '') + path + (query ? searchOf(query) : ''), {
        method: body ? 'POST' : 'GET',
        headers,
        ...(body && { body: JSON.stringify(body) }),
        ...(controller && { signal: controller.signal }),
      });
      const read = readAnswer(answer.status, await answer.text());
      outcome = read && { ...read, retryAfterSeconds: secondsOf(answer.headers.get('retry-after')) };
    };
    await bounded(system, TIMEOUT_MS, exchange());
    if (!outcome) controller?.abort();
    return outcome;
  }

  function refused({ code, error }: Fields) {
    const sentence =
      code === 'IDENTITY_TOKEN_INVALID'
        ? `The identity token of the user was refused: ${String(error)}`
        : 'The key is unknown, revoked, or a server key. Make a mobile key for this app, and give it to `key`.';
    if (!said.has(sentence)) problem(sentence);
    said.add(sentence);
  }
}

function readAnswer(status: number, text: string): Omit<Outcome, 'retryAfterSeconds'> | null {
  const parsed: unknown = JSON.parse(text);
  const body = fieldsOf(parsed);
  if (status === 200) return body.success === true ? { ok: true, status, body } : null;
  return status >= 400 && status < 500 && body === parsed ? { ok: false, status, body } : null;
}

const secondsOf = (header: string | null) => (header && /^\d{1,9}$/.test(header) ? Number(header) : null);

/** Returns the body of an answer. @throws {LandfallError} */
export function orThrow(outcome: Outcome | null): Fields {
  if (!outcome) throw new LandfallError('NO_ANSWER', 'The server did not answer.');
  if (outcome.ok) return outcome.body;
  const { status, body, retryAfterSeconds } = outcome;
  const message = textOf(body.error) ?? `The server refused with ${status}.`;
  throw new LandfallError(textOf(body.code) ?? 'REFUSED', message, status, retryAfterSeconds);
}
