// The search over the guides and the operations of the API. It runs in the browser: the texts are part of the build.
import { queryOptions } from '@tanstack/react-query';
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { inOurWords, isFiller } from './meant.ts';
import type { Reference } from './reference.ts';

export interface Found {
  /** The path below `/docs`, with its anchor. */
  href: string;
  title: string;
  /** The heading inside of the guide. Empty for its beginning, and for operations. */
  heading: string;
  text: string;
}

/** Reads the words in an address. The router makes a number of `429`, and a value of `true`. */
export const wordsOf = ({ q }: Record<string, unknown>): { q?: string } => (q === undefined ? {} : { q: String(q) });

export const guideTextsQuery = () =>
  queryOptions({
    queryKey: ['guide-texts'],
    queryFn: async () => (await import('virtual:guide-texts')).default,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Results, best first, each with its words that were found. `hasAll`: they have all words. */
export interface Results {
  hasAll: boolean;
  found: (Found & { words: string[] })[];
}

/**
 * Returns a function that finds what fits the words best, by their beginnings, in any form ("migrating" finds "migrate"),
 * and with one typing mistake. Where few passages have all words, those with some of them follow: people ask in sentences.
 */
export function searchOver(
  texts: readonly { slug: string; title: string; heading: string; id: string; text: string }[],
  reference: Reference | undefined,
): (words: string) => Results {
  const entries: Found[] = [
    ...texts.map(({ slug, id, ...rest }) => ({ ...rest, href: `/docs/${slug}${id && `#${id}`}` })),
    ...(reference?.groups ?? []).flatMap(({ operations }) =>
      operations.map(({ operationId, method, path, title, more }) => ({
        href: `${OPERATIONS}${operationId}`,
        title,
        heading: '',
        text: `${method} ${path} ${more}`.trim(),
      })),
    ),
  ];
  const index = new MiniSearch<Found & { id: number }>({
    fields: ['title', 'heading', 'text'],
    processTerm: (term) => [term.toLowerCase(), stemmer(term)],
    searchOptions: {
      processTerm: (term) => (isFiller(term) ? null : stemmer(term)),
      boostDocument: (id) => WEIGHTS.find(([place]) => entries[id]!.href.startsWith(place))?.[1] ?? 1,
      boost: { title: 3, heading: 2 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 1 : false),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (words) => {
    const ours = inOurWords(words);
    const whole = index.search(ours, { combineWith: 'AND' });
    const hasAll = whole.length > 0;
    const has = new Set(whole.map(({ id }) => id));
    const found =
      whole.length >= FEW
        ? whole
        : [...whole, ...index.search(ours, { combineWith: 'OR' }).filter(({ id }) => !has.has(id))];
    const isNamed = namedBy(words, ours);
    const all = found.map(({ id, terms }) => ({ ...entries[id]!, words: terms }));
    const { yes = [], no = [] } = Object.groupBy(all, (one) => (isNamed(one) ? 'yes' : 'no'));
    return { hasAll, found: [...yes, ...no].slice(0, MOST) };
  };
}

/** Returns a function that tells whether the words are the name of something: a heading, a guide or a setting. */
function namedBy(words: string, ours: string): (entry: Found) => boolean {
  const name = words.trim();
  const isSetting = /^[A-Z][A-Z\d_]{3,}$/.test(name);
  const stems = stemsOf(ours).filter((stem) => !isFiller(stem));
  return ({ href, title, heading, text }) =>
    (heading !== '' && heading.toLowerCase() === name.toLowerCase()) ||
    (isSetting && href === SETTINGS && text.includes(name)) ||
    (heading === '' &&
      !href.startsWith(OPERATIONS) &&
      stems.length > 0 &&
      stems.every((stem) => stemsOf(title).includes(stem)));
}

const OPERATIONS = '/docs/api/';
const SETTINGS = '/docs/reference/configuration';
/** People mostly ask how to do a thing. A guide says it, and the others name the same things more often. */
const WEIGHTS = [
  [OPERATIONS, 0.4],
  ['/docs/reference/messages', 0.3],
  ['/docs/explanation/', 0.5],
  ['/docs/clients/', 0.5],
] as const;
const MOST = 30;
/** With fewer results that have all words, those that have some of them follow. */
const FEW = 3;

const stemsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemmer);

/** Characters of an excerpt. */
const EXCERPT = 220;

/** Returns the part of the text around the first of the words, which are in lower case. */
export function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first < EXCERPT / 2 ? 0 : text.lastIndexOf(' ', first - EXCERPT / 4) + 1;
  const most = text.slice(from, from + EXCERPT);
  const isLast = from + EXCERPT >= text.length;
  return `${from > 0 ? '… ' : ''}${isLast ? most : `${most.replace(/ \S*$/, '')} …`}`;
}
