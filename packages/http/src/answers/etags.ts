// Versions as ETags: an edit may name the version that it is based on. RFC 9110, 8.8.3 and 13.1.1.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './errors.ts';

export const etag = ({ version }: { version: number }): string => `"${version}"`;

/** One member of the list, which may be empty, and the comma after it. */
const MEMBER = /[ \t]*(?:(?<weak>W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
const VERSION = /^(?:0|[1-9]\d{0,8})$/;
/** The maximum number of versions, because each is tried separately. */
const MOST_VERSIONS = 10;

/**
 * Returns the versions that `If-Match` names, lowest first. Null when any version is accepted. Weak tags and unknown
 * tags match nothing. Throws 400 for an invalid list.
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

/**
 * Returns a check for an edit that has read the thing and holds its lock. Throws 400 for an invalid list.
 * @throws the check: ApiError VERSION_MISMATCH unless `If-Match` accepts the version
 */
export function ifMatch(headers: IncomingHttpHeaders): (thing: { version: number }) => void {
  const versions = wantedVersions(headers);
  return ({ version }) => {
    if (versions !== null && !versions.includes(version)) throw new ApiError('VERSION_MISMATCH');
  };
}

type Attempt = { ok: true } | { ok: false; refusal: { code: string } };

/**
 * Sends an edit under the condition of `If-Match`. Calls `ask` with the version that the edit needs, or with null. When
 * several versions are named, it tries the next one after a mismatch.
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

/** The header's entry in the OpenAPI document. */
export const ifMatchHeader = {
  'If-Match': {
    description:
      'ETags of the replies that the edit may be based on, or `*`. The edit is refused with 412 if the version has changed since. Without this header the edit is always made.',
    pattern:
      '^[ \\t]*(?:\\*[ \\t]*|(?:,[ \\t]*)*(?:W/)?"[\\x21\\x23-\\x7e]*"[ \\t]*(?:,[ \\t]*(?:(?:W/)?"[\\x21\\x23-\\x7e]*"[ \\t]*)?)*)$',
  },
};
