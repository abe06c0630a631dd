// Versions as HTTP knows them: an edit may say which state it was made of. RFC 9110, 8.8.3 and 13.1.1.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './errors.ts';

export const etag = ({ version }: { version: number }): string => `"${version}"`;

/** One member of the list, which may be empty, with the comma behind it. */
const MEMBER = /[ \t]*(?:(?<weak>W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
const VERSION = /^(?:0|[1-9]\d{0,8})$/;
/** Each is tried for itself. */
const MOST_VERSIONS = 10;

/**
 * The versions that `If-Match` names, lowest first; null where any will do. Tags that are weak, or that no answer of ours
 * ever had, match nothing. Throws 400 for what is no list of tags.
 */
export function wantedVersions(headers: IncomingHttpHeaders): number[] | null {
  const given = headers['if-match'];
  if (given === undefined || given.trim() === '*') return null;
  const versions = new Set<number>();
  let tags = 0;
  for (let at = 0; at < given.length; at = MEMBER.lastIndex) {
    MEMBER.lastIndex = at;
    const { weak, tag } = MEMBER.exec(given)?.groups ?? wrong('must be a list of ETags, each in its quotes, or *');
    if (tag !== undefined) tags++;
    if (!weak && tag !== undefined && VERSION.test(tag)) versions.add(Number(tag));
  }
  if (tags === 0) wrong('must be a list of ETags, each in its quotes, or *');
  if (versions.size > MOST_VERSIONS) wrong(`must name at most ${MOST_VERSIONS} versions`);
  return [...versions].sort((a, b) => a - b);
}

function wrong(message: string): never {
  throw new ApiError('INVALID_REQUEST', [{ path: 'If-Match', message }]);
}

type Attempt = { ok: true } | { ok: false; refusal: { code: string } };

/**
 * Asks for an edit under the condition of `If-Match`. `ask` is called with the version that the edit needs, or with null;
 * again where several are named and the thing is not at the one before.
 */
export async function askIfMatch<A extends Attempt>(
  headers: IncomingHttpHeaders,
  ask: (ifVersion: number | null) => Promise<A>,
): Promise<A> {
  for (const version of wantedVersions(headers) ?? [null]) {
    const answer = await ask(version);
    if (answer.ok || answer.refusal.code !== 'VERSION_MISMATCH') return answer;
  }
  throw new ApiError('VERSION_MISMATCH');
}

/** For the OpenAPI document. */
export const ifMatchHeader = {
  'If-Match': {
    description:
      'ETags of replies that the edit may have been made of, or `*`: refused with 412 if it was changed since. Without it the edit is made in any case.',
    pattern:
      '^[ \\t]*(?:\\*[ \\t]*|(?:,[ \\t]*)*(?:W/)?"[\\x21\\x23-\\x7e]*"[ \\t]*(?:,[ \\t]*(?:(?:W/)?"[\\x21\\x23-\\x7e]*"[ \\t]*)?)*)$',
  },
};
