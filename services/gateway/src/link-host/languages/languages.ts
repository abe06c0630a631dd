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

const language = (tag: string, texts: Texts, direction: Language['direction'] = 'ltr'): Language => ({
  tag,
  direction,
  texts,
});

/** A reader whose languages we do not have gets this one. */
export const ENGLISH = language('en', en);
const traditional = language('zh-Hant', zhHant);

/** Chinese has two scripts. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  language('de', de),
  language('fr', fr),
  language('es', es),
  language('pt', pt),
  language('it', it),
  language('pl', pl),
  language('tr', tr),
  language('ru', ru),
  language('ar', ar, 'rtl'),
  language('hi', hi),
  language('id', id),
  language('ja', ja),
  language('ko', ko),
  language('zh', zh),
  traditional,
];

/** By each tag that browsers send for them. `in` is the older code of Indonesian, which old Android phones send. */
const byTag = new Map<string, Language>([
  ...LANGUAGES.map((one) => [one.tag, one] as const),
  ...['TW', 'HK', 'MO']
    .flatMap((region) => [`zh-${region}`, `zh-Hant-${region}`])
    .map((tag) => [tag, traditional] as const),
  ['in', LANGUAGES.find(({ tag }) => tag === 'id')!],
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
