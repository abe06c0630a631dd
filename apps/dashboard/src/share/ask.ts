// What the page of a share asks. The secret of the share goes into a header: an address would stand in logs.
import type { paths } from '@landfall/api-client';
import { useEffect, useState } from 'react';

export type Path = '/api/share' | '/api/share/lock' | '/api/share/figures' | '/api/share/cards' | '/api/share/funnel';
export type Answer<P extends Path> = paths[P]['get']['responses'][200]['content']['application/json'];

/** What opens the share: its secret, and the pass of its password. */
export interface Access {
  secret: string;
  pass: string | null;
}

/** What a viewer chose within the share. */
export interface Chosen {
  from?: string;
  to?: string;
  filter: readonly string[];
}

/** The code of the API, or `NO_ANSWER`. */
export class Refusal extends Error {
  readonly code: string;
  /** Milliseconds after which to ask again by itself. Null: it would be refused again. */
  readonly againMs: number | null;

  constructor(code: string, message: string, againMs: number | null) {
    super(message);
    this.code = code;
    this.againMs = againMs;
  }
}

const WITHIN_MS = 28_000;
/** Answers are kept that long by the server, too. */
const EVERY_MS = 60_000;
const AGAIN_MS = 3_000;
/** A part of the page has learned that the share has ended, or needs its password again. */
const ENDED = 'share-ended';
const OF_END: ReadonlySet<string> = new Set(['SHARE_NOT_FOUND', 'SHARE_LOCKED']);

export const headersOf = ({ secret, pass }: Access) => ({
  authorization: `Share ${secret}${pass === null ? '' : ` ${pass}`}`,
});

/** @throws Refusal */
export async function send(path: string, access: Access, init: RequestInit = {}): Promise<Response> {
  const headers = { ...headersOf(access), ...(init.body != null && { 'content-type': 'application/json' }) };
  const signal = AbortSignal.timeout(WITHIN_MS);
  const response = await fetch(path, { cache: 'no-store', ...init, headers, signal }).catch(() => null);
  if (response?.ok) return response;
  const { code = 'NO_ANSWER', error = '' } = (await response?.json().catch(() => null)) ?? {};
  const isOver = response !== null && ![429, 502, 503, 504].includes(response.status);
  const wait = Number(response?.headers.get('retry-after') ?? 0) * 1_000;
  throw new Refusal(code, error, isOver ? null : Math.max(wait, AGAIN_MS));
}

export function queryOf({ from, to, filter }: Chosen): string {
  const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) });
  for (const one of filter) query.append('filter', one);
  return `${query}`;
}

interface State<P extends Path> {
  data?: Answer<P>;
  error?: Refusal;
}

/** Asks, and asks again every minute while the page is seen. The last answer stays while the next one is on its way. */
export function useAnswer<P extends Path>(path: P, access: Access, query = ''): State<P> {
  const [state, setState] = useState<State<P>>({});
  const { secret, pass } = access;
  useEffect(() => {
    let left = false;
    let timer = 0;
    const next = (ms: number) => {
      timer = window.setTimeout(ask, ms);
    };
    async function ask(): Promise<void> {
      if (document.hidden) return next(AGAIN_MS);
      try {
        const response = await send(query ? `${path}?${query}` : path, { secret, pass });
        const data = (await response.json()) as Answer<P>;
        if (left) return;
        setState({ data });
        next(EVERY_MS);
      } catch (error) {
        if (left) return;
        const refusal = error instanceof Refusal ? error : new Refusal('NO_ANSWER', '', AGAIN_MS);
        // A short outage does not take away what is shown.
        if (path !== '/api/share/lock' && path !== '/api/share' && OF_END.has(refusal.code))
          window.dispatchEvent(new Event(ENDED));
        setState((before) => ({ ...(refusal.againMs !== null && before), error: refusal }));
        if (refusal.againMs !== null) next(refusal.againMs);
      }
    }
    void ask();
    const askNow = () => {
      clearTimeout(timer);
      void ask();
    };
    if (path === '/api/share') window.addEventListener(ENDED, askNow);
    return () => {
      left = true;
      clearTimeout(timer);
      window.removeEventListener(ENDED, askNow);
    };
  }, [path, query, secret, pass]);
  return state;
}
