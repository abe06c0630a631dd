// Asks browsers for the model of the phone and the version of its system, for apps that want this evidence. Chrome hides
// both in its user agent. A browser that learns of the question by an answer throws this answer away and asks again at
// once, now with the hints (`Critical-CH`). Both requests are one tap: a cookie of a few seconds carries its id.

import type { IncomingHttpHeaders } from 'node:http';
import type { App, Link } from '@landfall/contracts';
import type { Gathered, Hashes, Tap } from '@landfall/http';
import { readCookie } from '@landfall/http';
import type { Visitor } from './visitor.ts';

const HINTS = 'Sec-CH-UA-Model, Sec-CH-UA-Platform-Version';
const COOKIE = 'lf_tap';
/** The time in which a browser repeats its request, in seconds. */
const REPEAT_SECONDS = 10;

interface Asking {
  app: App;
  link: Link;
  visitor: Visitor;
  /** The token that names the tap. A phone that can be asked has one. */
  playToken: string | null;
}

/** Returns true when the browser can be asked. Browsers that know no client hints, as Safari, send no `Sec-CH-UA`. */
const canAsk = (headers: IncomingHttpHeaders, { app, visitor }: Asking): boolean =>
  app.matching.evidence === 'device' &&
  visitor.kind === 'person' &&
  visitor.platform === 'android' &&
  headers['sec-ch-ua'] !== undefined;

/** Returns the headers that ask for the hints, or nothing. Browsers answer over https and on `localhost` only. */
export function questionOf(headers: IncomingHttpHeaders, asking: Asking): Gathered {
  if (!canAsk(headers, asking)) return {};
  const { link, playToken } = asking;
  const path = `Path=/${link.slug}; HttpOnly; SameSite=Lax`;
  if (headers['sec-ch-ua-model'] !== undefined) {
    // The tap is complete. The next one is another.
    return cookieOf(headers) === null ? {} : { 'Set-Cookie': `${COOKIE}=; Max-Age=0; ${path}` };
  }
  return {
    'Accept-CH': HINTS,
    'Critical-CH': HINTS,
    'Set-Cookie': `${COOKIE}=${playToken}; Max-Age=${REPEAT_SECONDS}; ${path}`,
  };
}

/** Returns the tap of the first request when this one repeats it with the hints. Else null. */
export function repeatedTap(headers: IncomingHttpHeaders, app: App, link: Link, now: Date, hashes: Hashes): Tap | null {
  if (headers['sec-ch-ua-model'] === undefined) return null;
  const token = cookieOf(headers);
  const tap = token === null ? null : hashes.readTap(app.id, token);
  if (tap === null || tap.linkId !== link.id) return null;
  const age = now.getTime() - Date.parse(tap.tappedAt);
  return age >= 0 && age <= REPEAT_SECONDS * 1_000 ? tap : null;
}

const cookieOf = (headers: IncomingHttpHeaders): string | null => readCookie(headers, COOKIE, /^[A-Za-z0-9_-]{1,120}$/);
