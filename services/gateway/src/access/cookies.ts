// The cookies of the management API: the session, what a browser is known by when it signs in again, and its way to a provider
// of OpenID Connect and back.
import type { IncomingHttpHeaders } from 'node:http';
import { TRANSACTION_SECONDS } from '../oidc/transaction.ts';

/** 32 bytes as base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;
/** The same with a mark behind it. */
const MARKED = /^[A-Za-z0-9_-]{43}(?:\.[A-Za-z0-9_-]{22})?$/;
/** The content of a sealed cookie, at most as long as a browser keeps. */
const SEALED = /^v1\.[A-Za-z0-9_-]{38,4000}$/;
const DEVICE_SECONDS = 90 * 86_400;

export interface Cookies {
  readonly sessionName: string;
  session(headers: IncomingHttpHeaders): string | null;
  /** The id of the browser, and the mark that we gave to its user, if there is one. */
  device(headers: IncomingHttpHeaders): { id: string; mark: string | null } | null;
  /** `Set-Cookie` that gives a session, until it ends. @param seconds from now */
  giveSession(id: string, seconds: number): string;
  takeSession(): string;
  giveDevice(id: string, mark: string): string;
  transaction(headers: IncomingHttpHeaders): string | null;
  giveTransaction(sealed: string): string;
  takeTransaction(): string;
}

/**
 * Behind TLS with `__Host-`: then no other host, also none of the same domain, can set it. Lax, so that whoever follows a link
 * from a mail is signed in; what changes something is guarded besides (cross-site.ts).
 */
export function createCookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const names = {
    session: `${prefix}landfall`,
    device: `${prefix}landfall-device`,
    transaction: `${prefix}landfall-sign-in`,
  };
  const set = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    sessionName: names.session,
    session: (headers) => read(headers, names.session),
    device(headers) {
      const [id, mark = null] = read(headers, names.device, MARKED)?.split('.') ?? [];
      return id === undefined ? null : { id, mark };
    },
    giveSession: (id, seconds) => set(names.session, id, seconds),
    takeSession: () => set(names.session, '', 0),
    giveDevice: (id, mark) => set(names.device, `${id}.${mark}`, DEVICE_SECONDS),
    transaction: (headers) => read(headers, names.transaction, SEALED),
    giveTransaction: (sealed) => set(names.transaction, sealed, TRANSACTION_SECONDS),
    takeTransaction: () => set(names.transaction, '', 0),
  };
}

/** The first that has the right form; what is none of ours is none. */
function read(headers: IncomingHttpHeaders, name: string, form = SECRET): string | null {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    if (pair.slice(0, at).trim() === name && form.test(value)) return value;
  }
  return null;
}
