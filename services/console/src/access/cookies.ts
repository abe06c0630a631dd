// The cookies of the session, of the browser for later sign-ins, and of each sign-in at an OpenID Connect provider.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { pairsOf, readCookie } from '@landfall/http';
import { TRANSACTION_SECONDS } from '../oidc/transaction.ts';

/** 32 bytes as base64url, and perhaps a mark after them. */
const MARKED = /^[A-Za-z0-9_-]{43}(?:\.[A-Za-z0-9_-]{22})?$/;
/** A sealed value, at most as long as a browser keeps. */
const SEALED = /^v1\.[A-Za-z0-9_-]{38,4000}$/;
const DEVICE_SECONDS = 90 * 86_400;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * Behind TLS the names begin with `__Host-`, so that no other host can set the cookies, even one of the same domain.
 * They are Lax, so that a person who follows a link from an email is signed in. `assertSameSite` also guards all changes.
 */
export function createCookies(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const names = {
    session: `${prefix}landfall`,
    device: `${prefix}landfall-device`,
    transaction: `${prefix}landfall-sign-in-`,
  };
  // The state is secret until the provider returns it, and a name may be logged.
  const transactionName = (state: string) => `${names.transaction}${hash('sha256', state, 'hex').slice(0, 16)}`;
  const set = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    sessionName: names.session,
    session: (headers: IncomingHttpHeaders) => readCookie(headers, names.session),
    /** Returns the id of the browser, and the mark that we gave for its person if there is one. */
    device(headers: IncomingHttpHeaders): { id: string; mark: string | null } | null {
      const [id, mark = null] = readCookie(headers, names.device, MARKED)?.split('.') ?? [];
      return id === undefined ? null : { id, mark };
    },
    /** @param seconds from now until the session ends */
    giveSession: (id: string, seconds: number) => set(names.session, id, seconds),
    takeSession: () => set(names.session, '', 0),
    giveDevice: (id: string, mark: string) => set(names.device, `${id}.${mark}`, DEVICE_SECONDS),
    transaction: (headers: IncomingHttpHeaders, state: string) => readCookie(headers, transactionName(state), SEALED),
    /** Returns the sealed sign-ins of the browser that are under way, with the names of their cookies. */
    transactions: (headers: IncomingHttpHeaders) =>
      pairsOf(headers)
        .filter(({ name, value }) => name.startsWith(names.transaction) && SEALED.test(value))
        .map(({ name, value }) => ({ name, sealed: value })),
    /** Each sign-in has a cookie of its own, so that several tabs can sign in at once. */
    giveTransaction: (state: string, sealed: string) => set(transactionName(state), sealed, TRANSACTION_SECONDS),
    takeTransaction: (name: string) => set(name, '', 0),
    transactionName,
  };
}
