// The languages of the pages, and the choice of one for a reader.
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import type { Texts } from './texts.ts';
import { tr } from './tr.ts';
import { zh } from './zh.ts';
import { zhHant } from './zh-hant.ts';

export interface Language {
  /** As BCP 47 spells it: `de`, `zh-Hant`. */
  tag: string;
  direction: 'ltr' | 'rtl';
  texts: Texts;
}

const texts: Record<string, Texts> = { en, de, fr, es, pt, it, pl, tr, ru, ar, hi, id, ja, ko, zh, 'zh-Hant': zhHant };

export const LANGUAGES = Object.entries(texts).map(
  ([tag, texts]): Language => ({ tag, direction: tag === 'ar' ? 'rtl' : 'ltr', texts }),
);

const languageOf = (wanted: string): Language => LANGUAGES.find(({ tag }) => tag === wanted)!;

/** A reader whose languages we do not have gets this one. */
export const ENGLISH = languageOf('en');

/**
 * By each tag that browsers send for them. Chinese has two scripts. `in` is the older code of Indonesian, which old
 * Android phones send.
 */
const byTag = new Map<string, Language>([
  ...LANGUAGES.map((one) => [one.tag, one] as const),
  ...['zh-TW', 'zh-HK', 'zh-MO', 'zh-Hant-TW', 'zh-Hant-HK', 'zh-Hant-MO'].map(
    (tag) => [tag, languageOf('zh-Hant')] as const,
  ),
  ['in', languageOf('id')],
]);
const tags = [...byTag.keys()];

/** Longer headers are cut. Browsers send less than 100 characters. */
const MAX_LENGTH = 256;

/** A cache: many people have the same few headers. */
const chosen = new LRUCache<string, Language>({
  max: 1_000,
  memoMethod: (accepted) =>
    byTag.get(new Negotiator({ headers: { 'accept-language': accepted } }).language(tags) ?? '') ?? ENGLISH,
});

/** @param accepted the header `Accept-Language`; RFC 9110, section 12.5.4 */
export function languageFor(accepted: string | undefined): Language {
  return accepted ? chosen.memo(accepted.slice(0, MAX_LENGTH)) : ENGLISH;
}
