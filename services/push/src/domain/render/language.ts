// Finds the language of a push that the reader of a device understands best. Languages are compared with their likely
// script and region (CLDR): `zh-TW` is `zh-Hant-TW`, and `pt` is `pt-BR`.

export interface Language {
  readonly tag: string;
  /** Language and script. Who reads one text reads another one with the same, whatever its region. */
  readonly read: string;
  readonly language: string;
  /** Null when the tag names none. */
  readonly named: { readonly script: string | null; readonly region: string | null };
  /** The named region, else the likely one. */
  readonly region: string | undefined;
  /** The likely region of the language and script. */
  readonly likely: string | undefined;
}

/** Norwegian has a code of its own, and one for each of its two written forms. */
const READ_AS: Record<string, string> = { nb: 'no', nn: 'no' };

/** Parents of regions (CLDR): in these regions the texts for the parent are nearer than those without a region. */
const PARENTS: readonly (readonly [read: string, regions: RegExp, parent: string])[] = [
  ['es-Latn', /^(?:AR|BO|BR|BZ|CL|CO|CR|CU|DO|EC|GT|HN|MX|NI|PA|PE|PR|PY|SV|US|UY|VE)$/, '419'],
  ['en-Latn', /^(?!US$)/, '001'],
  ['pt-Latn', /^(?!BR$)/, 'PT'],
  ['zh-Hant', /^MO$/, 'HK'],
];

/** Returns null for a text that is no language. */
export function readLanguage(tag: string): Language | null {
  try {
    const { language, script, region } = new Intl.Locale(tag);
    const full = new Intl.Locale(tag).maximize();
    return {
      tag,
      read: `${READ_AS[language] ?? language}-${full.script}`,
      language,
      named: { script: script ?? null, region: region ?? null },
      region: full.region,
      likely: new Intl.Locale(`${language}${full.script ? `-${full.script}` : ''}`).maximize().region,
    };
  } catch {
    return null;
  }
}

/**
 * Returns how near the texts in a language are to a reader: 0 is the nearest. Null: the reader is not shown them.
 * @param texts a language in which a push has texts
 */
function distance(texts: Language, reader: Language): number | null {
  if (texts.tag === reader.tag) return 0;
  // A language without a script and a region is for all its readers, when there is nothing nearer.
  if (texts.read !== reader.read) return texts.tag === reader.language ? 100 : null;
  const isNynorsk = ({ language }: Language) => language === 'nn';
  return (isNynorsk(texts) === isNynorsk(reader) ? 0 : 10) + regionDistance(texts, reader);
}

function regionDistance(texts: Language, reader: Language): number {
  if (texts.region === reader.region && texts.named.region !== null) return 1;
  const parent = PARENTS.find(([read, regions]) => read === reader.read && regions.test(reader.region ?? ''))?.[2];
  if (parent !== undefined && texts.named.region === parent) return 2;
  if (texts.named.region === null) return 3;
  return texts.named.region === texts.likely ? 4 : 5;
}

/** Returns the languages that the reader is shown, the nearest first. */
export function nearest(languages: readonly Language[], reader: Language): string[] {
  return languages
    .flatMap((texts) => {
      const far = distance(texts, reader);
      return far === null ? [] : [{ tag: texts.tag, far }];
    })
    .sort((a, b) => a.far - b.far || (a.tag < b.tag ? -1 : 1))
    .map(({ tag }) => tag);
}
