import type { CreateCall, CreatedLink, NewLink, Operation, ReplyOf } from './api-types.ts';
import { createMany, type LinkRow, type Outcome } from './create-many.ts';
import { LandfallError } from './landfall-error.ts';
import type { CallOptions, Send } from './send.ts';
import type { Limits } from './waits.ts';

type Found = ReplyOf<Operation<'GET', '/api/links/get-by-slug'>>;

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

export interface CreateOptions extends CallOptions {
  /**
   * Calls with one key make one link: 1 to 255 printable ASCII characters without spaces. Give one if your own call may
   * be repeated, for example the id of the invitation. Default: a new key, so that a retry of ours never makes a second
   * link.
   */
  idempotencyKey?: string;
}

/** The links of the app that the key belongs to. */
export class Links {
  private readonly send: Send;
  private readonly limits: Partial<Limits>;

  /** @internal */
  constructor(send: Send, { retries, retryForSeconds }: Partial<Limits> = {}) {
    this.send = send;
    this.limits = {
      ...(retries !== undefined && { retries }),
      ...(retryForSeconds !== undefined && { retryForSeconds }),
    };
  }

  /**
   * Makes a link.
   * @throws LandfallError, for example `INVALID_REQUEST`, `UNAUTHORIZED`, `GENERATED_LINKS_LIMIT_REACHED`
   */
  async create(
    { destination, metadata }: NewLink,
    { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
  ): Promise<CreatedLink> {
    const answer = await this.send({
      ...options,
      method: 'POST',
      path: '/api/links/create-sdk',
      headers: { 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ destination, metadata }),
      repeatable: true,
    });
    return (answer as ReplyOf<CreateCall>).link;
  }

  /**
   * Makes any number of links, in calls of at most 1,000 rows and 1 MB. A row that fails stops no other. Needs a server
   * key.
   * @returns one outcome for each row, in the order of the rows
   * @throws LandfallError if no link was made because a whole call failed, for example `UNAUTHORIZED`
   */
  createMany(rows: readonly LinkRow[], options: CallOptions = {}): Promise<Outcome[]> {
    return createMany(rows, this.send, { ...this.limits, ...options });
  }

  /**
   * Looks up what a link says. It counts as no tap. The server allows 30 look-ups a minute from one address.
   * @param url the URL of the link, with any query
   * @returns null if there is no such link, if it has ended, and for a text that is no URL
   * @throws LandfallError
   */
  async resolve(url: string | URL, options: CallOptions = {}): Promise<ResolvedLink | null> {
    const query = lookUpOf(url);
    if (query === null) return null;
    const path = `/api/links/get-by-slug?${query}`;
    try {
      const { link } = (await this.send({ ...options, method: 'GET', path, repeatable: true })) as Found;
      const { id, destination, destination_path, parameters, metadata } = link;
      return { linkId: id, destination, path: destination_path, parameters, metadata };
    } catch (error) {
      if (error instanceof LandfallError && NOTHING.includes(error.code)) return null;
      throw error;
    }
  }
}

const NOTHING = ['LINK_NOT_FOUND', 'APP_NOT_FOUND'];

/** Returns the query of a look-up. Null: the URL can be no link. */
function lookUpOf(url: string | URL): URLSearchParams | null {
  if (!URL.canParse(String(url))) return null;
  const { protocol, hostname, pathname } = new URL(url);
  const slug = pathname.split('/').findLast((part) => part !== '');
  if (!/^https?:$/.test(protocol) || slug === undefined) return null;
  return new URLSearchParams({ slug: decoded(slug), hostname });
}

/** Decodes a part of a path. A part that is not valid stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
