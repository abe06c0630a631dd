// The install referrer: what a tap hands to Google Play, and what Play gives the app back after the install.

/** The parameter that carries the signed tap. */
export const TAP_PARAMETER = 'lf_click';

/** The signed tap in an install referrer; null when the install came from elsewhere. */
export const tapTokenOf = (referrer: string): string | null => new URLSearchParams(referrer).get(TAP_PARAMETER);
