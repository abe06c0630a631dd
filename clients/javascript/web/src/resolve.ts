/** The content of a link. */
export interface ResolvedLink {
  linkId: string;
  /** The path with its query: `/invite?code=7`. */
  destination: string;
  /** The path alone: `/invite`. */
  path: string;
  parameters: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

export interface ResolveOptions {
  /** The origin of the API: `https://api.example.com`. */
  url: string;
  /** Ends the request. Default: after 15 s. */
  signal?: AbortSignal;
}

/** A look-up that has failed. */
export class LandfallError extends Error {
  override readonly name = 'LandfallError';
  /** `NO_ANSWER`, or the code of the server: `RATE_LIMITED`, for example. */
  readonly code: string;
  /** The status of the answer. Null without one. */
  readonly status: number | null;

  constructor(message: string, code: string, status: number | null) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/**
 * Looks up what a link says, without a key and without cookies. It counts as no tap. The server allows 30 look-ups a
 * minute from one address.
 * @param link the URL of the link, with any query
 * @returns null if there is no such link, or if it has ended
 * @throws LandfallError, and TypeError if `link` is no URL, or `options.url` is missing
 */
export async function resolve(link: string, options: ResolveOptions): Promise<ResolvedLink | null> {
  const { url, signal } = options ?? {};
  if (!/^https?:/.test(url)) throw new TypeError('`url` must be the origin of the API: https://api.example');
  const { pathname, hostname } = new URL(link);
  const slug = pathname.split('/').filter(Boolean).pop();
  if (!slug) return null;
  const query = `slug=${encodeURIComponent(slug)}&hostname=${encodeURIComponent(hostname)}`;
  const { status, body } = await get(`${url.replace(/\/+$/, '')}/api/links/get-by-slug?${query}`, signal);
  if (status === 200 && body?.success === true && body.link) {
    const { id, destination, destination_path: path, parameters, metadata } = body.link;
    return { linkId: id, destination, path, parameters, metadata };
  }
  if (/^(LINK|APP)_NOT_FOUND$/.test(body?.code ?? '')) return null;
  throw new LandfallError(body?.error ?? `The server answered ${status}.`, body?.code ?? 'NO_ANSWER', status);
}

interface Answer {
  success?: boolean;
  error?: string;
  code?: string;
  link?: Pick<ResolvedLink, 'destination' | 'parameters' | 'metadata'> & { id: string; destination_path: string };
}

async function get(url: string, signal: AbortSignal | undefined): Promise<{ status: number; body: Answer | null }> {
  try {
    const answer = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: signal ?? AbortSignal.timeout(15_000),
    });
    return { status: answer.status, body: (await answer.json().catch(() => null)) as Answer | null };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new LandfallError(`There was no answer from ${url}.`, 'NO_ANSWER', null);
  }
}
