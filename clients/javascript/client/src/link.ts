// The content of a link, read from an answer, a push or the storage.
import { queryOf } from './address.ts';

/** How a link came: it was opened in the app, it was tapped before the install, or it came with a push. */
export type Via = 'direct' | 'deferred' | 'push';

/** How a deferred link was found. `link` for the others. */
export type Match = 'token' | 'account' | 'device' | 'address' | 'link';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The content of a link. */
export interface LinkData {
  /** The path with its query: `/invite?code=7`. */
  readonly destination: string;
  /** The path alone: `/invite`. */
  readonly path: string;
  /** The parameters of the query. */
  readonly parameters: Fields;
  /** The creator of the link has stored it with the link. */
  readonly metadata: Fields;
  /** Null for a push without a link. */
  readonly linkId: string | null;
  readonly via: Via;
  readonly match: Match;
  /** False if the address alone says that the link is for this person. Ask it before you show private content. */
  readonly sure: boolean;
}

/** A link that the app has got. */
export interface Link extends LinkData {
  /** Ends the link. One that was not ended comes again at the next start, three times at most and for a day. */
  handled(): void;
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Returns a string that is not empty, or null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const MATCHES: Readonly<Record<string, Match>> = { token: 'token', email: 'account', fingerprint: 'device' };

/** @param type `matchType` of a restored link */
export const matchOf = (type: unknown): Match =>
  // `MATCHES.constructor` is a function.
  typeof type === 'string' && Object.keys(MATCHES).includes(type) ? (MATCHES[type] as Match) : 'address';

/** Returns null if there is no destination. `//host` is one of a browser, and leads out of the app. */
export function linkOf(value: unknown, via: Via, match: Match): LinkData | null {
  const { destination, parameters, metadata, linkId, link_id, id } = fieldsOf(value);
  if (typeof destination !== 'string' || !/^\/(?![/\\])/.test(destination)) return null;
  return {
    destination,
    path: destination.split(/[?#]/)[0] as string,
    parameters: fieldsOf(parameters),
    metadata: fieldsOf(metadata),
    linkId: textOf(linkId) ?? textOf(link_id) ?? textOf(id),
    via,
    match,
    sure: match !== 'address',
  };
}

/** @param data the data of a push, whose values may be text alone */
export function linkOfPush({ destinationPath, linkId, metadata }: Fields): LinkData | null {
  const link = {
    destination: destinationPath,
    parameters: queryOf(destinationPath),
    metadata: objectIn(metadata),
    linkId,
  };
  return linkOf(link, 'push', 'link');
}

function objectIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return {};
  }
}
