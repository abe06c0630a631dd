// The UTM values of a link. They stand in the query of its destination, and nowhere else.

export const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;
export type UtmName = (typeof UTM)[number];
export type Utm = Readonly<Record<UtmName, string>>;

export const UTM_LENGTH = 255;

export const NO_UTM: Utm = { utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '' };

export const isUtm = (name: string): name is UtmName => UTM.some((one) => one === name);

/** Returns the text as analytics should count it: without spaces at its ends, in small letters, with hyphens inside. */
export const tidy = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, '-');

/** Takes the values out of the query of a destination. The rest of the destination stays byte for byte. */
export function splitUtm(destination: string): { rest: string; utm: Utm } {
  const { path, parts, fragment } = partsOf(destination);
  const utm: Record<UtmName, string> = { ...NO_UTM };
  const others = parts.filter((part) => {
    const [entry] = new URLSearchParams(part);
    if (!entry || !isUtm(entry[0])) return true;
    // The last value of a repeated parameter counts, as everywhere.
    utm[entry[0]] = entry[1].trim();
    return false;
  });
  return { rest: path + queryOf(others) + fragment, utm };
}

/** Puts values behind the query of a destination that has none of them. */
export function withUtm(rest: string, utm: Utm): string {
  const { path, parts, fragment } = partsOf(rest);
  const given = UTM.filter((name) => utm[name] !== '').map(
    (name) => `${name}=${encodeURIComponent(utm[name].toWellFormed())}`,
  );
  return path + queryOf([...parts, ...given]) + fragment;
}

const queryOf = (parts: readonly string[]): string => (parts.length === 0 ? '' : `?${parts.join('&')}`);

function partsOf(destination: string): { path: string; parts: string[]; fragment: string } {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(destination) ?? [];
  return { path, parts: query === undefined ? [] : query.slice(1).split('&'), fragment };
}

/** Returns the known value that a reader takes for the same, although analytics counts both apart. */
export function nearValue(value: string, known: readonly string[]): string | null {
  if (value === '' || known.includes(value)) return null;
  return known.find((one) => foldOf(one) === foldOf(value)) ?? null;
}

const foldOf = (value: string): string => value.toLowerCase().replace(/[-_\s]/g, '');
