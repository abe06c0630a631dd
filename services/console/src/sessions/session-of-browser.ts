// The session that a browser gets. It gets the id of the session, and only the hash of the id is stored.
import { timingSafeEqual } from 'node:crypto';
import { type EventToTell, told } from '@landfall/bus';
import { PersonChanged } from '@landfall/contracts';
import { sha256 } from '@landfall/http';
import type { z } from 'zod';
import { makeSecret } from '../access/one-time.ts';
import type { Changing } from '../changes/change.ts';
import type { ConsoleParts } from '../parts.ts';
import { Person } from '../people/person-repository.ts';
import type { ManageCall } from '../routing/route.ts';
import { type Session, sessionView } from './session-repository.ts';

type AnyCall = Pick<ManageCall<'anyone', unknown, unknown, unknown>, 'address' | 'userAgent' | 'headers' | 'setHeader'>;

/** The fields of a reply that begins a session. The id of the session is in a cookie. */
export const signedInReply = { person: Person, session: sessionView };

/** What is stored of a new session, and where it begins. */
export type NewSession = Omit<ReturnType<typeof sessionOfBrowser>, 'give'> & { byProvider?: boolean };

/** Makes a session for the browser of a request. Nothing is stored yet. */
export function sessionOfBrowser(call: AnyCall, { hashes, cookies, now }: ConsoleParts) {
  const id = makeSecret();
  const device = makeSecret();
  const before = cookies.session(call.headers);
  return {
    session: {
      hash: id.hash,
      userAgent: browserName(call.userAgent),
      /** The earlier session of this browser, which ends. Null: there is none. */
      replaces: before && sha256(before),
    },
    address: hashes.address(call.address),
    newDeviceHash: device.hash,
    give({ session, person }: { session: Session; person: Person }): z.input<z.ZodObject<typeof signedInReply>> {
      const seconds = Math.max(0, Math.floor((Date.parse(session.endsAt) - now().getTime()) / 1000));
      const mark = hashes.browserMark(device.plaintext, hashes.email(person.email));
      call.setHeader('Set-Cookie', [
        cookies.giveSession(id.plaintext, seconds),
        cookies.giveDevice(device.plaintext, mark),
      ]);
      return { person, session: { ...session, current: true } };
    },
  };
}

/** Returns the hash of the email if its person has signed in before in this browser. Else null. */
export function knownBrowser(headers: AnyCall['headers'], email: string, { cookies, hashes }: ConsoleParts) {
  const device = cookies.device(headers);
  if (!device?.mark) return null;
  const emailHash = hashes.email(email);
  const expected = hashes.browserMark(device.id, emailHash);
  return timingSafeEqual(Buffer.from(device.mark), Buffer.from(expected)) ? emailHash : null;
}

/** Ends the previous session of the browser, even one of another person. `left`: whose session ended. */
export async function beginSession(
  { tx, account, id: ofChange, now }: Changing,
  { session: { replaces, ...fresh }, address, newDeviceHash, byProvider = false }: NewSession,
  userId: string,
  id = ofChange,
): Promise<{ session: Session; left: string | null }> {
  const left = replaces === null ? null : await account.sessions.endByHash(tx, replaces, now);
  const session = await account.sessions.insert(tx, { id, userId, now, byProvider, ...fresh });
  await account.signIns.know(tx, userId, [newDeviceHash, address], now);
  return { session, left };
}

export const personsChanged = (...userIds: (string | null | undefined)[]): EventToTell[] =>
  [...new Set(userIds)].filter((userId) => userId != null).map((userId) => told(PersonChanged, { userId }));

/** The first match counts, because most browsers also claim to be others. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
  ['curl', /^curl\//],
];
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Returns a name such as `Firefox on Windows`. */
export function browserName(userAgent: string): string {
  const find = (names: typeof browsers) => names.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = find(systems);
  return `${find(browsers) ?? 'A program'}${system === undefined ? '' : ` on ${system}`}`;
}
