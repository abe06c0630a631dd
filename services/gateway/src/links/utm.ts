// Reads `utm_*`: of a link, and of a tapped query. Play's referrer, the web address, the SDK and the statistics all ask
// here, so that they agree.
import { cutText, type Link, UTM_LENGTH, type UtmName, utmNames } from '@landfall/contracts';
import { onceFor } from '@landfall/http';
import { splitDestination } from './link.ts';

/** Values by their whole names, such as `utm_source`. None is blank. */
export type UtmParameters = ReadonlyMap<string, string>;

type Given = Pick<Link, 'destination' | 'metadata'>;

const NAME = /^utm_\w{1,40}$/;

/** With a cache, because each tap asks. Links come from a cache, too, and never change. */
const ofLink = onceFor(({ destination, metadata }: Given) => {
  const parameters: UtmParameters = new Map([
    ...read(Object.entries(metadata)),
    ...utmInQuery(splitDestination(destination).query),
  ]);
  const utm = forStatistics((name) => parameters.get(name));
  return { parameters, utm, names: utm === null ? [] : utmNames.filter((name) => utm[name] !== null) };
});

/** Returns the values of a link: those of its destination, else text values of its metadata, each for itself. */
export const utmOfLink = (link: Given): UtmParameters => ofLink(link).parameters;

const NONE: UtmParameters = new Map();

/** @param query without its question mark. The last value of a repeated parameter counts, as everywhere. */
export function utmInQuery(query: string): UtmParameters {
  return query.includes('utm_') ? read(new URLSearchParams(query)) : NONE;
}

function read(parameters: Iterable<readonly [name: string, value: unknown]>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, given] of parameters) {
    if (typeof given !== 'string' || !NAME.test(name)) continue;
    const value = given.replaceAll('\0', '').trim().toWellFormed();
    if (value !== '') found.set(name, value);
  }
  return found;
}

type Utm = Record<UtmName, string | null>;

/**
 * Returns the values for statistics: those of the tapped query, else those of the link, each for itself. The tapped one
 * says how this person came. Null when there are none.
 * @param query of the tapped URL, without its question mark
 */
export function utmOf(query: string, link: Given): Utm | null {
  const tapped = utmInQuery(query);
  const { parameters, utm } = ofLink(link);
  return tapped.size === 0 ? utm : forStatistics((name) => tapped.get(name) ?? parameters.get(name));
}

/** Returns the names of the values that are those of the link itself, also when the tapped URL repeats them. */
export function utmNamesOfLink(utm: Utm | null, link: Given): UtmName[] {
  const { utm: own, names } = ofLink(link);
  return utm === own ? names : names.filter((name) => utm?.[name] === own?.[name]);
}

function forStatistics(given: (parameter: string) => string | undefined): Utm | null {
  const values = utmNames.map((name) => [name, cutText(given(`utm_${name}`) ?? '', UTM_LENGTH) || null] as const);
  return values.every(([, value]) => value === null) ? null : (Object.fromEntries(values) as Utm);
}
