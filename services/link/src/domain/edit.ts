import type { EditLink, InputOf, JsonObject, Link, LinkFields } from '@landfall/contracts';

export const edited = (link: Link, edit: InputOf<typeof EditLink>, now: Date): Link => ({
  ...link,
  ...givenFields(edit),
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

const fields = {
  name: true,
  note: true,
  tags: true,
  webUrl: true,
  iosUrl: true,
  androidUrl: true,
  expiredUrl: true,
} as const satisfies Record<keyof LinkFields, true>;
/** The fields that people give a link, besides its destination. */
export const fieldNames = Object.keys(fields) as (keyof LinkFields)[];

/** Returns the fields of people that a message gives, also null. */
const givenFields = (from: LinkFields): LinkFields =>
  Object.fromEntries(fieldNames.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

/** Whether people work with the link, so that the search finds every part of it. Links of keys are far more. */
export const isManaged = ({ madeBy, name, tags = [] }: Link): boolean =>
  madeBy != null || name != null || tags.length > 0;

const always = ['destination', 'metadata', 'expiresAt', 'archivedAt'] as const;
type Editable = (typeof always)[number] | keyof LinkFields;
const editable: readonly Editable[] = [...always, ...fieldNames];

/** Returns the fields of a created link that an edit may change, as the change from no link. */
export const creationOf = (link: Link) => ({
  before: null,
  after: of(link, [...always, ...fieldNames.filter((name) => isSet(link[name]))]),
});

/** False for null, for an empty list, and when the message does not give the field. */
export const isSet = (value: string | readonly string[] | null | undefined): boolean =>
  value !== undefined && value !== null && value.length > 0;

const of = (link: Link, fields: readonly Editable[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, link[field]]));

/** Metadata is one field, and a different order of its keys is a change. */
export function changesOf(before: Link, after: Link): { before: JsonObject; after: JsonObject } {
  const changed = editable.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return { before: of(before, changed), after: of(after, changed) };
}
