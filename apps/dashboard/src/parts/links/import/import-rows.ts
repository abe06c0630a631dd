// Reads the rows of a CSV file as links. The columns have the names of the export; `metadata.<key>` is one value.
import { objectOf } from '../../forms/json-text.ts';

export interface ImportRow {
  destination: string;
  metadata?: Record<string, unknown>;
  expiresAt?: string;
  idempotencyKey: string;
}

export interface ReadRows {
  rows: ImportRow[];
  /** Columns that an import does not use. */
  unused: string[];
  /** True when no column is named `destination`. */
  withoutDestination: boolean;
}

/** The columns of an export that Landfall sets itself. */
const OWN = ['url', 'slug', 'createdAt', 'archivedAt', 'id'];
const PREFIX = 'metadata.';

/** @param file tells this file from others, so that a repeated import makes no link twice */
export function readRows(
  records: readonly Record<string, string>[],
  columns: readonly string[],
  file: string,
): ReadRows {
  const isKnown = (name: string) =>
    name === 'destination' || name === 'metadata' || name === 'expiresAt' || name.startsWith(PREFIX);
  return {
    rows: records.map((record, place) => ({
      destination: (record.destination ?? '').trim(),
      ...metadataOf(record, columns),
      ...(record.expiresAt?.trim() && { expiresAt: instantOf(record.expiresAt.trim()) }),
      idempotencyKey: `import-${file}-${place}`,
    })),
    unused: columns.filter((name) => !isKnown(name) && !OWN.includes(name)),
    withoutDestination: !columns.includes('destination'),
  };
}

/** A text that is no object stays a text, so that the check names the field. */
function metadataOf(record: Record<string, string>, columns: readonly string[]) {
  const whole = record.metadata?.trim() ?? '';
  const parsed = objectOf(whole);
  if (parsed === null) return { metadata: whole as never };
  const single = columns
    .filter((name) => name.startsWith(PREFIX) && record[name])
    .map((name) => [name.slice(PREFIX.length), record[name]] as const);
  const metadata = { ...parsed, ...Object.fromEntries(single) };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

/** Takes a day or a time as spreadsheets write them. What is no time stays as it is, so that the check names it. */
function instantOf(text: string): string {
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}
