// Finds the way out of the browser inside another app, and reads from a query which way a person took.
import { EXITS, type ExitRow } from './exit-table.ts';

/** A way out for one tap. */
export interface Exit {
  id: string;
  url: string;
  mayFail: boolean;
}

/** The parameter of a link that was opened by an exit. */
const OUT = 'lf_out';
/** The parameter with which a browser reports that a person used an exit. */
const USED = 'lf_exit';

const byId = new Map(EXITS.map((row) => [row.id, row]));

type InApp = { inApp: string | null; platform: string };

/** Returns the row for a visitor inside another app, perhaps one without an exit. Null: they are in no other app. */
export function rowOf({ inApp, platform }: InApp): ExitRow | null {
  if (inApp === null) return null;
  const fits = ({ apps, platforms }: ExitRow) =>
    (apps === 'others' || apps.includes(inApp)) && platforms.some((one) => one === platform);
  return EXITS.find(fits) ?? null;
}

/**
 * @param inApp the app as `classifyVisitor` names it
 * @param link the link on the requested host, with its query
 */
export function exitOf(inApp: string, platform: 'ios' | 'android', link: string): Exit | null {
  const row = rowOf({ inApp, platform });
  return row === null || row.form === null
    ? null
    : { id: row.id, url: urlOf(row, row.form, link), mayFail: row.mayFail };
}

function urlOf({ id, parameter }: ExitRow, form: string, link: string): string {
  const url = [`${OUT}=${id}`, parameter].reduce<string>(
    (whole, part) => (part ? withParameter(whole, part) : whole),
    link,
  );
  const at = url.indexOf('://');
  const values: Record<string, string> = {
    url,
    encoded: encodeURIComponent(url),
    scheme: url.slice(0, at),
    rest: url.slice(at + 3),
  };
  return form.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
}

/** Returns the path that a browser calls when a person uses the exit. It is on the host of the page, whichever that is. */
export const reportPathOf = (exit: Exit, link: string): string => `${new URL(link).pathname}?${USED}=${exit.id}`;

const withParameter = (url: string, parameter: string) => `${url}${url.includes('?') ? '&' : '?'}${parameter}`;

/**
 * Returns the exit that led out of another app. Null for a tap that came in another way.
 * @param tappedQuery with or without its question mark
 */
export const leftBy = (tappedQuery: string): ExitRow | null => rowIn(tappedQuery, OUT);

/** Returns the exit whose use a browser reports. Null: the request is no report. */
export const reportedIn = (query: string): ExitRow | null => rowIn(query, USED);

function rowIn(query: string, name: string): ExitRow | null {
  if (!query.includes(name)) return null;
  return byId.get(new URLSearchParams(query).get(name) ?? '') ?? null;
}

/** Returns the parameter that tells the next page which exit was used. Empty: none was. */
export function outParameter(tappedQuery: string): string {
  const row = leftBy(tappedQuery);
  return row === null ? '' : `${OUT}=${row.id}`;
}

const ours = [`${OUT}=`, `${USED}=`, ...EXITS.flatMap(({ parameter }) => parameter ?? [])];

/** True for a part of a query that belongs to an exit and not to the link. */
export const isOfExit = (part: string): boolean => ours.some((own) => part.startsWith(own));
