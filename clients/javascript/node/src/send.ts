// Sends a request, and repeats it as long as that may help.
import { isObject, LandfallError, refusalIn } from './landfall-error.ts';
import { type Limits, patience, retryAfterIn } from './waits.ts';

/** The header that names this client in the log and in the set-up page of Landfall. */
export const CLIENT = 'node/0.1.0';

/** How a client reaches the server. */
export interface ConnectionOptions {
  /** The origin of the API: `https://api.example.com`. */
  url: string;
  /** Seconds until a request without an answer ends. Default: 15. */
  timeoutSeconds?: number;
  /** The maximum number of further tries of a call. 0: none. Default: 4. */
  retries?: number;
  /** Seconds after which a call is not tried again. Default: 30, and 120 for `createMany`. */
  retryForSeconds?: number;
  /** Sends the requests. Default: the `fetch` of the platform. */
  fetch?: typeof fetch;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call. It then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** As in the options of the client, for this call. */
  retryForSeconds?: number;
}

export interface Sent extends CallOptions {
  method: string;
  /** With its query. */
  path: string;
  headers?: Record<string, string>;
  /** JSON. */
  body?: string;
  /** True: a repeat changes nothing more. False: it is repeated only if the server has done nothing. */
  repeatable: boolean;
}

/** Resolves to the body of a success: an object, or the text of a file. Rejects with a {@link LandfallError}. */
export type Send = (sent: Sent) => Promise<unknown>;

/**
 * @param secret the key or the token
 * @param name the name of its option
 * @throws TypeError if it is missing, or the address is none
 */
export function sender(options: ConnectionOptions, secret: string | undefined, name: 'key' | 'token'): Send {
  const origin = originOf(options.url);
  const { timeoutSeconds = 15, retries = 4, retryForSeconds = 30 } = options;
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError(`\`${name}\` is missing. Is the variable of the environment set?`);

  return async (sent) => {
    const limits: Limits = { retries, retryForSeconds: sent.retryForSeconds ?? retryForSeconds };
    const waits = patience(limits, sent.signal);
    for (;;) {
      const result = await tryOnce(sent).catch((error: unknown) => {
        if (error instanceof LandfallError) return error;
        throw error;
      });
      if (!(result instanceof LandfallError)) return result;
      if (!mayRepeat(result, sent) || !(await waits.hasWaited(result))) throw result;
    }
  };

  async function tryOnce(sent: Sent): Promise<unknown> {
    const { method, path, headers, body, signal } = sent;
    signal?.throwIfAborted();
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, timeoutSeconds * 1_000);
    signal?.addEventListener('abort', end, { once: true });
    try {
      const response = await (options.fetch ?? fetch)(`${origin}${path}`, {
        method,
        headers: {
          accept: 'application/json, */*;q=0.1',
          authorization: `Bearer ${secret}`,
          'x-landfall-client': CLIENT,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        // A redirect would take the key to another host.
        redirect: 'manual',
        signal: ended.signal,
      });
      return read(response, await response.text());
    } catch (error) {
      if (error instanceof LandfallError) throw error;
      signal?.throwIfAborted();
      const why = ended.signal.aborted ? `within ${timeoutSeconds} s` : `(${reasonOf(error)})`;
      throw new LandfallError(`There was no answer from ${origin} ${why}.`, { code: 'NO_ANSWER', cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  function read({ status, headers }: Response, text: string): unknown {
    const type = headers.get('content-type') ?? '';
    const body = /^application\/json\b/i.test(type) ? parsed(text) : undefined;
    if (status === 200 && isObject(body) && body.success === true) return body;
    if (status === 200 && FILE.test(type)) return text;
    const facts = {
      status,
      retryAfterSeconds: retryAfterIn(headers.get('retry-after')),
      requestId: headers.get('x-request-id'),
    };
    const refusal = status >= 400 ? refusalIn(body, facts) : null;
    if (refusal) throw refusal;
    const what =
      status >= 300 && status < 400 ? `a redirect to ${headers.get('location')}` : `${status} ${type}`.trim();
    throw new LandfallError(`${origin} answered ${what}. Is it the address of Landfall's API?`, {
      code: 'NO_ANSWER',
      ...facts,
    });
  }
}

/** Exports of the management API. */
const FILE = /^(?:text\/csv|application\/(?:x-ndjson|jsonl))\b/i;

/** Returns whether another try may help, and does no harm. */
function mayRepeat({ status, code }: LandfallError, { repeatable }: Sent): boolean {
  // The server refused it before it did anything.
  if (status === 429 || code === 'BUSY') return true;
  return repeatable && (status === null || status >= 500);
}

function originOf(url: string): string {
  const isUrl = typeof url === 'string' && /^https?:\/\/./i.test(url) && URL.canParse(url);
  if (!isUrl) throw new TypeError('`url` must be the address of the API: https://api.example.com');
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` says only that it failed. The reason is in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}
