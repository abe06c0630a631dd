import type { BodyOf, ListPath, Method, Operation, Parts, PathOf, ReplyOf, RowOf } from './api-types.ts';
import { isObject } from './landfall-error.ts';
import { type CallOptions, type ConnectionOptions, type Send, sender } from './send.ts';

export interface ManagementOptions extends ConnectionOptions {
  /** A token of a person, or an owner token: `lf_` and 32 hexadecimal digits. If it is undefined, the constructor throws. */
  token: string | undefined;
}

type Sending = Operation<'POST', '/api/push/send'>;
/** A push, and its audience. */
export type Push = Omit<BodyOf<Sending>, 'appId' | 'idempotencyKey'>;
export type PushSent = Omit<ReplyOf<Sending>, 'success'>;

export interface PushOptions extends CallOptions {
  /** Calls with one key send one push. Default: a new key, so that a retry of ours sends nothing twice. */
  idempotencyKey?: string;
}

/** The parts of a request. They may be left out if none of them is required. */
type Given<O> = Partial<Parts<O>> extends Parts<O> ? [given?: Parts<O> & CallOptions] : [given: Parts<O> & CallOptions];

type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;
interface AnyParts extends CallOptions {
  path?: Record<string, string>;
  query?: Query;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * The management API: apps, keys, links, pushes, figures. It can do what the web app can.
 * @example
 * const management = new Management({ url: 'https://api.example.com', token: 'lf_…' });
 * const { app } = await management.request('GET', '/api/manage/apps/{appId}', { path: { appId } });
 */
export class Management {
  private readonly send: Send;
  /** Pushes to the devices of an app. */
  readonly push: { send(appId: string, push: Push, options?: PushOptions): Promise<PushSent> };

  /** Sends nothing. Throws a TypeError if the address or the token is missing. */
  constructor({ token, ...connection }: ManagementOptions) {
    this.send = sender(connection, token, 'token');
    this.push = {
      send: (appId, push, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
        this.call<PushSent>('POST', '/api/push/send', { ...options, body: { ...push, appId, idempotencyKey } }),
    };
  }

  /**
   * Calls an operation of the API. The API reference of your Landfall (`/docs/api`) lists all of them.
   *
   * A GET and a PUT are tried again after a fault. So is a call with a key of idempotency. Others are tried again only if
   * the server says that it has done nothing.
   * @param path as the API reference writes it: `/api/manage/apps/{appId}`
   * @param given the values of `path`, `query`, `headers` and `body`, where the operation has them
   * @returns the answer, or the text of an export
   * @throws LandfallError, for example `FORBIDDEN`, `APP_NOT_FOUND`, `VERSION_MISMATCH`
   */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[given]: Given<Operation<M, P>>
  ): Promise<ReplyOf<Operation<M, P>>> {
    return this.call(method, path, given as AnyParts | undefined);
  }

  /**
   * Reads a list, row by row, and page by page.
   * @param path a list of the API with a `cursor`: `/api/manage/apps/{appId}/links`
   * @param given as for `request`. `query.limit`: the rows of a page, at most 100
   * @throws LandfallError when a page cannot be read
   */
  async *list<P extends ListPath>(path: P, ...[given]: Given<Operation<'GET', P>>): AsyncGenerator<RowOf<P>, void> {
    const parts = given as AnyParts | undefined;
    let cursor: string | null = null;
    do {
      const query: Query = { limit: 100, ...parts?.query, ...(cursor !== null && { cursor }) };
      const page: Record<string, unknown> = await this.call('GET', path, { ...parts, query });
      // A page has one list, under the name of its things.
      yield* (Object.values(page).find(Array.isArray) ?? []) as RowOf<P>[];
      cursor = page.next as string | null;
    } while (cursor !== null);
  }

  private async call<Reply>(method: Method, path: string, given: AnyParts = {}): Promise<Reply> {
    const { path: values, query, headers = {}, body, ...options } = given;
    const hasKey = 'Idempotency-Key' in headers || (isObject(body) && typeof body.idempotencyKey === 'string');
    const answer = await this.send({
      ...options,
      method,
      path: filled(path, values) + searchOf(query),
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      repeatable: method === 'GET' || method === 'PUT' || hasKey,
    });
    return answer as Reply;
  }
}

const filled = (path: string, values: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // An empty value would name another path.
    if (value === undefined || value === '') throw new TypeError(`\`path.${name}\` is missing.`);
    return encodeURIComponent(value);
  });

function searchOf(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  return search.size > 0 ? `?${search}` : '';
}
