// A `fetch` with a list of answers, for tests.

export interface Asked {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  redirect: string | undefined;
  /** Milliseconds since the first request. */
  at: number;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
/** `null`: a network fault. `'silence'`: no answer ever comes. A function sees the request. */
export type Reply = Answer | null | 'silence' | ((asked: Asked) => Answer | null);

/** @param replies the last one answers all further requests, too */
export function fakeServer(...replies: Reply[]) {
  const asked: Asked[] = [];
  let began: number | undefined;
  const fake = async (url: string, init: RequestInit) => {
    began ??= Date.now();
    const request: Asked = {
      method: init.method!,
      url,
      headers: init.headers as Record<string, string>,
      body: (init.body as string) ?? '',
      redirect: init.redirect,
      at: Date.now() - began,
    };
    asked.push(request);
    const given = replies[Math.min(asked.length, replies.length) - 1]!;
    const reply = typeof given === 'function' ? given(request) : given;
    if (reply === 'silence')
      return new Promise<never>((_, reject) => {
        init.signal!.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    if (reply === null) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const { status, body, headers } = reply;
    const isText = typeof body === 'string';
    return new Response(isText ? body : JSON.stringify(body ?? {}), {
      status,
      headers: { 'content-type': isText ? 'text/html' : 'application/json; charset=utf-8', ...headers },
    });
  };
  return { asked, fetch: fake as typeof fetch };
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { error: `It is ${code}.`, code },
  headers,
});
