/** The first characters of an id. They are enough to tell the rows of a page apart. */
export const shortId = (id: string): string => id.slice(0, 8);
