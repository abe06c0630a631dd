// The install referrer. A tap gives it to Google Play, and Play gives it to the app after the install.

/** The parameter that carries the signed tap. */
export const TAP_PARAMETER = 'lf_click';

/** Returns the signed tap of an install referrer. Null when the install came from elsewhere. */
export const tapTokenOf = (referrer: string): string | null => new URLSearchParams(referrer).get(TAP_PARAMETER);
