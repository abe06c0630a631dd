import { text } from '../fields.ts';

/** A time zone that `Intl` knows, e.g. `Asia/Kolkata`. An app may have an old alias, see {@link newTimeZone}. */
export const timeZone = () => text(64).refine(isTimeZone, { error: NOT_IANA });

/** A time zone of the IANA database. PostgreSQL, browsers and calendars know it, too. */
export const newTimeZone = () =>
  text(64).refine((name) => isTimeZone(name) && !ALIASES.has(name.toUpperCase()) && !/^SystemV\//i.test(name), {
    error: NOT_IANA,
  });

const NOT_IANA = 'must be a time zone of the IANA database such as Europe/Berlin';

/**
 * Names that `Intl` reads, and that are not in the IANA database: the aliases of ICU, of which some mean another zone than
 * people expect, and two names that IANA has removed. Also `SystemV/…`.
 */
const ALIASES: ReadonlySet<string> = new Set([
  ...['ACT', 'AET', 'AGT', 'ART', 'AST', 'BET', 'BST', 'CAT', 'CNT', 'CST', 'CTT', 'EAT', 'ECT', 'IET', 'IST', 'JST'],
  ...['MIT', 'NET', 'NST', 'PLT', 'PNT', 'PRT', 'PST', 'SST', 'VST'],
  ...['CANADA/EAST-SASKATCHEWAN', 'US/PACIFIC-NEW'],
]);

/** Zones that `Intl` has accepted: asking it costs more than all other checks of the settings of an app. */
const accepted = new Set<string>();
/** There are about 600 names. Each may be written in capitals, too. */
const MOST_ACCEPTED = 2_000;

function isTimeZone(name: string): boolean {
  if (accepted.has(name)) return true;
  if (!isKnownToIntl(name)) return false;
  if (accepted.size >= MOST_ACCEPTED) accepted.clear();
  accepted.add(name);
  return true;
}

function isKnownToIntl(name: string): boolean {
  // Intl also takes offsets such as +05:30. They know no daylight saving time, and PostgreSQL reads them differently.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
