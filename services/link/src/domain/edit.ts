import type { EditLink, InputOf, JsonObject, Link } from '@landfall/contracts';

export const edited = (link: Link, edit: InputOf<typeof EditLink>, now: Date): Link => ({
  ...link,
  destination: edit.destination ?? link.destination,
  metadata: edit.metadata ?? link.metadata,
  expiresAt: edit.expiresAt === undefined ? link.expiresAt : edit.expiresAt,
  archivedAt: archivedAt(link, edit.archived, now),
  version: link.version + 1,
});

function archivedAt(link: Link, archived: boolean | undefined, now: Date): string | null {
  if (archived === undefined) return link.archivedAt;
  return archived ? (link.archivedAt ?? now.toISOString()) : null;
}

const editable = ['destination', 'metadata', 'expiresAt', 'archivedAt'] as const;

/** Returns the fields of a created link that an edit may change, as the change from no link. */
export const creationOf = (link: Link) => ({ before: null, after: of(link, editable) });

const of = (link: Link, fields: readonly (typeof editable)[number][]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, link[field]]));

/** Metadata is one field, and a different order of its keys is a change. */
export function changesOf(before: Link, after: Link): { before: JsonObject; after: JsonObject } {
  const changed = editable.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return { before: of(before, changed), after: of(after, changed) };
}
