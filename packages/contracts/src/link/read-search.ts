/** An address begins with a scheme, or with a host: it has a dot or a port. */
const ADDRESS = /^(?:https?:\/\/[^/?#]*|(?:[^\s/?#]+[.:][^\s/?#]+|localhost)(?=\/))([^?#]*)/i;

export interface ReadSearch {
  text: string;
  /** The possible slug of a link. Empty: none. */
  slug: string;
  isAddress: boolean;
}

/**
 * Reads what somebody looks for among links. The slug is the last part of the path of an address, with its scheme or without;
 * the one part of a path; else the text.
 */
export function readSearch(typed: string): ReadSearch {
  const text = typed.trim();
  const [, path] = ADDRESS.exec(text) ?? [];
  if (path !== undefined) return { text, slug: path.slice(path.lastIndexOf('/') + 1), isAddress: true };
  const slug = text.startsWith('/') ? (/^\/([^/?#\s]+)$/.exec(text)?.[1] ?? '') : text;
  return { text, slug, isAddress: false };
}
