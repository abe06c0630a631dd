// Where a signed tap waits for the first start of an app: in the install referrer of Google Play, or on the clipboard.
import { decoded } from '../lookups/plain-slug.ts';

/** The parameter of an install referrer that carries the signed tap. */
export const TAP_PARAMETER = 'lf_click';
/** The parameter of a copied link that carries the signed tap. */
export const CLIP_PARAMETER = 'lf_clip';

const REFERRER = new RegExp(`(?:^|[?&]|\\breferrer=)${TAP_PARAMETER}=([A-Za-z0-9_-]{1,120})(?:[&#]|$)`);
/** The times that a referrer may be encoded. */
const MOST_CODINGS = 3;

/**
 * Returns the signed tap of an install referrer. Also reads one that is still encoded, or that is in the URL of Play's
 * page: some libraries pass it on like this. Null when the install came from elsewhere.
 */
export function tapTokenOf(referrer: string): string | null {
  let text = referrer.trim();
  for (let times = 0; times <= MOST_CODINGS; times++) {
    const [, token] = REFERRER.exec(text) ?? [];
    if (token !== undefined) return token;
    const plain = decoded(text);
    if (plain === text) return null;
    text = plain;
  }
  return null;
}

/** A clipboard may hold anything. A text that is much longer than a link with its query is not read. */
const MAX_CLIPBOARD = 4_096;
const CLIP = new RegExp(`[?&]${CLIP_PARAMETER}=([A-Za-z0-9_-]{1,120})(?:[&#]|$)`);

/** Returns the signed tap of a copied link. Null when the text is something else. */
export const clipTokenOf = (text: string): string | null =>
  text.length > MAX_CLIPBOARD ? null : (CLIP.exec(text.trim())?.[1] ?? null);
