/** True for a slug that Landfall made. People cannot choose one of this form. */
export const isMadeSlug = (slug: string): boolean => /^\d{13}-/.test(slug);
