/** True for a slug that Landfall made. People cannot choose one of this form. */
export const isMadeSlug = (slug: string): boolean => /^\d{13}-/.test(slug);

interface SlugFault {
  fault: 'character' | 'first' | 'short' | 'made';
  /** The character that is wrong. */
  found: string;
}

/** Says why the API refuses a slug that a person chose. Null: it takes it, if it is free. */
export function slugFaultOf(slug: string): SlugFault | null {
  const [found] = /[^A-Za-z0-9_-]/u.exec(slug) ?? [];
  if (found !== undefined) return { fault: 'character', found };
  if (/^[_-]/.test(slug)) return { fault: 'first', found: slug[0]! };
  if (isMadeSlug(slug)) return { fault: 'made', found: '' };
  return slug.length < 2 ? { fault: 'short', found: '' } : null;
}
