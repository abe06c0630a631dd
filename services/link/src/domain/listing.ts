// Turns a list request into bounds, prefixes and words that an index supports.
import type { InputOf, Link, ListLinks } from '@landfall/contracts';
import { madeWithin } from './slug.ts';

type Asked = InputOf<typeof ListLinks>;
export type ListingQuery = Omit<Asked, 'limit' | 'cursor' | 'count'>;

export interface Wanted extends Pick<Asked, 'appId' | 'state' | 'origin' | 'tag' | 'userId'> {
  /** The beginnings of the destination and the slug. Null means any. */
  destination: string | null;
  slug: string | null;
  /** Name, slug and destination have all of these somewhere. In small letters. */
  words: readonly string[];
  /** A pattern of PostgreSQL that destinations in small letters match. Null: any. */
  campaign: string | null;
  /** Only links that were created at this time or later. */
  from: Date;
  /** Only rows after this row, in the order newest first. The row need not exist. */
  after: Row;
}

export interface Row {
  at: Date;
  id: string;
}

/** A link whose slug a search names exactly. */
type Named = Pick<Link, 'slug' | 'createdAt'>;

const FIRST = new Date(0);
const LAST: Row = { at: new Date('9999-12-31T23:59:59.999Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
/** Returns a position after every row of this time and later, in the order newest first. */
const before = (at: Date): Row => ({ at, id: '00000000-0000-0000-0000-000000000000' });

/**
 * Returns the first part of a list: all of it without a search, else the links of people. Null when no link can match.
 * `behind` is the row of the cursor.
 */
export function wantedLinks(asked: ListingQuery, behind: Row | null): Wanted | null {
  const { search, tag, userId, campaign } = asked;
  // A tagged link is one of people, also when a key made it. People look for campaigns among their own.
  const ofPeople = search !== null || tag !== null || userId !== null || campaign != null;
  if (ofPeople && asked.origin === 'keys') return null;
  const words = search === null ? [] : wordsOf(readSearch(search).text);
  if (search !== null && words.length === 0) return null;
  return within({ ...asked, origin: ofPeople ? 'people' : asked.origin, words }, behind, null);
}

/** Returns the slugs that a search may name exactly: as given, and in small letters. */
export function slugsNamed({ search, ...asked }: ListingQuery): string[] {
  if (search === null || !mayBeOfKeys(asked)) return [];
  const { slug = '' } = readSearch(search);
  if (slug === '' || slug.length > MAX_SLUG || madeWithin(slug.toLowerCase())) return [];
  return [slug, slug.toLowerCase()];
}
/** Of the oldest links. */
const MAX_SLUG = 100;

const mayBeOfKeys = ({ origin, tag, userId, campaign }: Omit<ListingQuery, 'search'>): boolean =>
  origin !== 'people' && tag === null && userId === null && campaign == null;

/**
 * Returns the second part of a search: links of keys, which are found by the beginning of destination or slug.
 * @param named the link whose slug the search names exactly
 */
export function wantedOfKeys(asked: ListingQuery, behind: Row | null, named: Named | null): Wanted | null {
  if (asked.search === null || !mayBeOfKeys(asked)) return null;
  const { destination = null, slug: given = null } = readSearch(asked.search);
  const slug = named?.slug ?? given?.toLowerCase() ?? null;
  const made = named ? at(named) : slug === null ? null : madeWithin(slug);
  if (slug !== null && !made) return null;
  return within({ ...asked, origin: 'keys', words: [], destination, slug }, behind, made);
}

const at = ({ createdAt }: Named) => ({ from: new Date(createdAt), before: new Date(Date.parse(createdAt) + 1) });

type Unbounded = Omit<Wanted, 'from' | 'after' | 'destination' | 'slug' | 'campaign'> &
  Partial<Omit<Wanted, 'campaign'>> &
  Pick<ListingQuery, 'campaign'>;

function within(
  {
    appId,
    state,
    origin,
    tag,
    userId,
    words,
    destination = null,
    slug = null,
    campaign,
    ...asked
  }: Unbounded & Pick<ListingQuery, 'createdFrom' | 'createdBefore'>,
  behind: Row | null,
  made: { from: Date; before: Date } | null,
): Wanted | null {
  const { createdFrom, createdBefore } = asked;
  const from = latest(FIRST, createdFrom ? new Date(createdFrom) : FIRST, made?.from ?? FIRST);
  const after = lowest(
    LAST,
    behind ?? LAST,
    createdBefore ? before(new Date(createdBefore)) : LAST,
    made ? before(made.before) : LAST,
  );
  if (after.at < from) return null;
  const wanted = { appId, state, origin, tag, userId, words, destination, slug, from, after };
  return { ...wanted, campaign: campaign == null ? null : patternOf(campaign) };
}

/** Returns a pattern for destinations whose query has the campaign, in each form that programs write it in. */
function patternOf(campaign: string): string {
  const coded = encodeURIComponent(campaign.trim().toWellFormed()).toLowerCase();
  const forms = new Set([coded, coded.replaceAll('%20', '+'), campaign.trim().toLowerCase()]);
  const escaped = [...forms].map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `[?&]utm_campaign=(${escaped.join('|')})(&|#|$)`;
}

/** A destination begins with `/` and a slug does not, so a beginning is that of one or the other. */
function readSearch(
  search: string,
): { text: string } & ({ destination: string; slug?: never } | { slug: string; destination?: never }) {
  const trimmed = search.trim();
  if (trimmed.startsWith('/')) return { text: trimmed, destination: trimmed };
  const [, path] = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(trimmed) ?? [];
  const slug = path === undefined ? trimmed : path.slice(path.lastIndexOf('/') + 1);
  return { text: slug, slug };
}

const MAX_WORDS = 5;
const wordsOf = (text: string): string[] =>
  [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS);

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
