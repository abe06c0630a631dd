// Edits of a link: what it becomes, and what of it changed.
import type { EditLink, InputOf, JsonObject, Link } from '@landfall/contracts';

/** The link's next state; what is left out stays as it is. */
export const edited = (link: Link, edit: InputOf<typeof EditLink>, now: Date): Link => ({
  ...link,
  destination: edit.destination ?? link.destination,
  metadata: edit.metadata ?? link.metadata,
  expiresAt: edit.expiresAt === undefined ? link.expiresAt : edit.expiresAt,
  archivedAt: archivedAt(link, edit.archived, now),
  version: link.version + 1,
});

/** Archiving what is archived keeps its time. */
function archivedAt(link: Link, archived: boolean | undefined, now: Date): string | null {
  if (archived === undefined) return link.archivedAt;
  return archived ? (link.archivedAt ?? now.toISOString()) : null;
}

const editable = ['destination', 'metadata', 'expiresAt', 'archivedAt'] as const;

/** Returns the changed fields, before and after. Metadata is one field, and the order of its keys is part of it. */
export function changesOf(before: Link, after: Link): { before: JsonObject; after: JsonObject } {
  const changed = editable.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const of = (link: Link): JsonObject => Object.fromEntries(changed.map((field) => [field, link[field]]));
  return { before: of(before), after: of(after) };
}
