// Where a signed tap waits for the first start of an app: in the install referrer of Google Play, or on the clipboard.

/** The parameter of an install referrer that carries the signed tap. */
export const TAP_PARAMETER = 'lf_click';
/** The parameter of a copied link that carries the signed tap. */
export const CLIP_PARAMETER = 'lf_clip';

/** Returns the signed tap of an install referrer. Null when the install came from elsewhere. */
export const tapTokenOf = (referrer: string): string | null => new URLSearchParams(referrer).get(TAP_PARAMETER);

/** A clipboard may hold anything. A text that is much longer than a link with its query is not read. */
const MAX_CLIPBOARD = 4_096;
const CLIP = new RegExp(`[?&]${CLIP_PARAMETER}=([A-Za-z0-9_-]{1,120})(?:[&#]|$)`);

/** Returns the signed tap of a copied link. Null when the text is something else. */
export const clipTokenOf = (text: string): string | null =>
  text.length > MAX_CLIPBOARD ? null : (CLIP.exec(text.trim())?.[1] ?? null);
