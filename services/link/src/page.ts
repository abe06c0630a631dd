// A page of a list: the rows that fit in one message, and the cursor after them.
import { cursorAfter } from '@landfall/contracts';
import { fitting } from './domain/listing.ts';

/** @param rest the cursor after all rows; null at the end of the list */
export function pageOf<R extends { id: string }>(
  rows: readonly R[],
  time: (row: R) => string,
  rest: string | null,
): { rows: R[]; next: string | null } {
  const kept = fitting(rows);
  const last = kept.at(-1);
  const next = last && kept.length < rows.length ? cursorAfter({ at: new Date(time(last)), id: last.id }) : rest;
  return { rows: [...kept], next };
}
