// Turns a list request into bounds and prefixes that an index supports.
import type { InputOf, ListLinks } from '@landfall/contracts';
import { madeWithin } from './slug.ts';

export interface Wanted {
  appId: string;
  state: InputOf<typeof ListLinks>['state'];
  /** The beginnings of the destination and the slug. Null means any. */
  destination: string | null;
  slug: string | null;
  /** Only links that were created at this time or later. */
  from: Date;
  /** Only rows after this row, in the order newest first. The row need not exist. */
  after: Row;
}

interface Row {
  at: Date;
  id: string;
}

const FIRST = new Date(0);
const LAST: Row = { at: new Date('9999-12-31T23:59:59.999Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
/** Returns a position after every row of this time and later, in the order newest first. */
const before = (at: Date): Row => ({ at, id: '00000000-0000-0000-0000-000000000000' });

type ListingQuery = Omit<InputOf<typeof ListLinks>, 'limit' | 'cursor' | 'count'>;

/** Returns null when no link can match. `behind` is the row of the cursor. */
export function wantedLinks(asked: ListingQuery, behind: Row | null): Wanted | null {
  const { appId, state, createdFrom, createdBefore } = asked;
  const search = asked.search === null ? null : readSearch(asked.search);
  const made = search?.slug === undefined ? null : madeWithin(search.slug);
  if (search?.slug !== undefined && !made) return null;
  const from = latest(FIRST, createdFrom ? new Date(createdFrom) : FIRST, made?.from ?? FIRST);
  const after = lowest(
    LAST,
    behind ?? LAST,
    createdBefore ? before(new Date(createdBefore)) : LAST,
    made ? before(made.before) : LAST,
  );
  if (after.at < from) return null;
  return { appId, state, destination: search?.destination ?? null, slug: search?.slug ?? null, from, after };
}

/** A destination begins with `/` and a slug does not, so a search is for one or the other. */
function readSearch(search: string): { destination: string; slug?: never } | { slug: string; destination?: never } {
  const trimmed = search.trim();
  if (trimmed.startsWith('/')) return { destination: trimmed };
  const [, path] = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(trimmed) ?? [];
  return { slug: (path === undefined ? trimmed : path.slice(path.lastIndexOf('/') + 1)).toLowerCase() };
}

const latest = (...times: Date[]): Date => new Date(Math.max(...times.map(Number)));

/** Returns the row that comes last in the order newest first. */
const lowest = (...rows: Row[]): Row =>
  rows.reduce((a, b) => ((a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1)) <= 0 ? a : b));

/** The most bytes of rows in a reply. Brokers accept messages of up to 1 MB. */
export const PAGE_BYTES = 512 * 1024;

/** Returns the first rows of a page that fit in one message, at least one. */
export function fitting<R>(rows: readonly R[]): readonly R[] {
  let bytes = 0;
  const over = rows.findIndex((row, i) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return i > 0 && bytes > PAGE_BYTES;
  });
  return over < 0 ? rows : rows.slice(0, over);
}
