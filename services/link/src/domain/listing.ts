// Turns a list request into bounds, prefixes and words that an index supports.
import type { InputOf, Link, ListLinks, ReadSearch } from '@landfall/contracts';
import { madeWithin } from './slug.ts';

type Asked = InputOf<typeof ListLinks>;
export interface ListingQuery extends Omit<Asked, 'limit' | 'cursor' | 'count' | 'search'> {
  search: ReadSearch | null;
}

export interface Wanted extends Pick<Asked, 'appId' | 'state' | 'origin' | 'tag' | 'userId'> {
  /** The beginnings of the destination and the slug. Null means any. */
  destination: string | null;
  slug: string | null;
  /** Name, slug and destination have all of these somewhere; of a link of a key, its destination alone. In small letters. */
  words: readonly string[];
  /** A pattern of PostgreSQL that destinations in small letters match. Null: any. */
  campaign: string | null;
  /** Only links that were created at this time or later. */
  from: Date;
  /** Only rows after this row, in the order newest first. The row need not exist. */
  after: Row;
  /**
   * Only what one walk from `after` reads, among links of any origin. An app has millions of links of keys, and a list that
   * goes on to the oldest one would read them all for each word that somebody types. `behind`: only rows after this one;
   * null: from the first on.
   */
  oneWalk: { behind: Row | null } | null;
}

export interface Row {
  at: Date;
  id: string;
}

/** A link whose slug a search names exactly. */
export interface Named extends Pick<Link, 'slug'> {
  createdAt: Date;
  /** It is one of people. */
  managed: boolean;
}

const FIRST = new Date(0);
const LAST: Row = { at: new Date('9999-12-31T23:59:59.999Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
/** Returns a position after every row of this time and later, in the order newest first. */
const before = (at: Date): Row => ({ at, id: '00000000-0000-0000-0000-000000000000' });

/**
 * Returns the first part of a list: all of it without a search, else the links of people. Null when no link can match.
 * `behind` is the row of the cursor.
 * @param named the link whose slug the search names exactly
 */
export function wantedLinks(asked: ListingQuery, behind: Row | null, named: Named | null): Wanted | null {
  const { search, tag, userId, campaign } = asked;
  // A tagged link is one of people, also when a key made it. People look for campaigns among their own.
  const ofPeople = search !== null || tag !== null || userId !== null || campaign != null;
  if (ofPeople && asked.origin === 'keys') return null;
  // No text that is searched has a `/` before the slug.
  const words = search === null ? [] : wordsOf(named?.managed || search.isAddress ? search.slug : search.text);
  if (search !== null && words.length === 0) return null;
  return within({ ...asked, origin: ofPeople ? 'people' : asked.origin, words }, behind, null);
}

/** Returns the slugs that a search may name exactly: as given, and in small letters. */
export function slugsNamed({ search, ...asked }: ListingQuery): string[] {
  if (search === null) return [];
  const { slug } = search;
  if (slug === '' || slug.length > MAX_SLUG) return [];
  // The words of a search find links of people, and the time in a slug those of keys. A path is no beginning of a slug.
  if (!isPath(search) && (madeWithin(slug.toLowerCase()) || !mayBeOfKeys(asked))) return [];
  return [slug, slug.toLowerCase()];
}
/** Of the oldest links. */
const MAX_SLUG = 100;

const mayBeOfKeys = ({ origin, tag, userId, campaign }: Omit<ListingQuery, 'search'>): boolean =>
  origin !== 'people' && tag === null && userId === null && campaign == null;

/** Returns the second part of a search: links of keys, by the beginning of slug or destination, else by words. */
export function wantedOfKeys(asked: ListingQuery, behind: Row | null, named: Named | null, now: Date): Wanted | null {
  if (asked.search === null || !mayBeOfKeys(asked)) return null;
  const ofKeys = { ...asked, origin: 'keys', words: [] } as const;
  if (named?.managed === false) return within({ ...ofKeys, slug: named.slug }, behind, at(named));
  const { text, isAddress } = asked.search;
  if (isPath(asked.search)) return within({ ...ofKeys, destination: text }, behind, null);
  const slug = asked.search.slug.toLowerCase();
  const made = madeWithin(slug);
  if (made && made.from <= now && made.before > FIRST_SLUG) return within({ ...ofKeys, slug }, behind, made);
  const words = isAddress ? [] : wordsOf(text);
  return words.length === 0 ? null : within({ ...ofKeys, words, oneWalk: { behind } }, null, null);
}
/** No slug is older. An earlier time is a number of something else. */
const FIRST_SLUG = new Date('2020-01-01');

const at = ({ createdAt }: Named) => ({ from: createdAt, before: new Date(createdAt.getTime() + 1) });

type Unbounded = Omit<Wanted, 'from' | 'after' | 'destination' | 'slug' | 'campaign' | 'oneWalk'> &
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
    oneWalk = null,
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
  const wanted = { appId, state, origin, tag, userId, words, destination, slug, from, after, oneWalk };
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
const isPath = ({ text }: ReadSearch): boolean => text.startsWith('/');

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
