// The countries of the people, with their languages and phones.
import { picker, type Random, valuePicker } from '../random.ts';

export interface Country {
  /** Null for an address whose country is not known. */
  readonly code: string | null;
  /** The share of iPhones among phones. */
  readonly iphones: number;
  readonly language: (random: Random) => string;
}

const country = (code: string | null, iphones: number, languages: Readonly<Record<string, number>>): Country => ({
  code,
  iphones,
  language: picker(languages),
});

/** With the percentage of people. */
export const countryOf = valuePicker<Country>([
  [country('US', 0.57, { en: 87, es: 13 }), 24],
  [country('IN', 0.06, { en: 62, hi: 30, ta: 8 }), 15],
  [country('DE', 0.38, { de: 88, en: 8, tr: 4 }), 13],
  [country('GB', 0.52, { en: 96, pl: 4 }), 9],
  [country('BR', 0.19, { pt: 97, en: 3 }), 8],
  [country('FR', 0.36, { fr: 94, en: 6 }), 7],
  [country('ID', 0.12, { id: 90, en: 10 }), 6],
  [country('MX', 0.26, { es: 96, en: 4 }), 5],
  [country('ES', 0.25, { es: 80, ca: 14, en: 6 }), 4],
  [country('JP', 0.64, { ja: 98, en: 2 }), 4],
  [country('NP', 0.08, { ne: 55, en: 45 }), 3],
  [country('CA', 0.6, { en: 76, fr: 24 }), 2],
  [country(null, 0.4, { en: 60, es: 20, ar: 20 }), 1],
]);
