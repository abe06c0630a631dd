// The session that a browser gets. It gets the id of the session, and only the hash of the id is stored.
import { timingSafeEqual } from 'node:crypto';
import type { Person, Session } from '@landfall/contracts';
import { sha256 } from '@landfall/http';
import type { z } from 'zod';
import { browserName } from '../access/browser-name.ts';
import { makeSecret } from '../access/one-time.ts';
import { personView, sessionView, viewPerson } from '../routes/manage-fields.ts';
import type { ManageCall, Uses } from '../routing/route.ts';

type AnyCall = Pick<ManageCall<'anyone', unknown, unknown, unknown>, 'address' | 'userAgent' | 'headers' | 'setHeader'>;

/** The fields of a reply that begins a session. The id of the session is in a cookie. */
export const signedInReply = { person: personView, session: sessionView };

/** What is stored of a new session, and where it begins. */
export type NewSession = Omit<ReturnType<typeof sessionOfBrowser>, 'give'>;

/** Makes a session for the browser of a request. Nothing is stored yet. */
export function sessionOfBrowser(
  call: AnyCall,
  { hashes, cookies, sealer, now }: Uses<'hashes' | 'sealer' | 'cookies' | 'now'>,
) {
  const id = makeSecret();
  const device = makeSecret();
  const before = cookies.session(call.headers);
  return {
    session: { hash: id.hash, userAgent: browserName(call.userAgent), replaces: before && sha256(before) },
    address: hashes.address(call.address),
    newDeviceHash: device.hash,
    /** Gives the session to the browser. It replaces an earlier one. */
    give({ session, person }: { session: Session; person: Person }): z.input<z.ZodObject<typeof signedInReply>> {
      const seconds = Math.max(0, Math.floor((Date.parse(session.endsAt) - now().getTime()) / 1000));
      const view = viewPerson(person, sealer);
      const mark = hashes.browserMark(device.plaintext, hashes.email(view.email));
      call.setHeader('Set-Cookie', [
        cookies.giveSession(id.plaintext, seconds),
        cookies.giveDevice(device.plaintext, mark),
      ]);
      return { person: view, session: { ...session, current: true } };
    },
  };
}

/**
 * Returns the hash of the email of the person who has signed in before in this browser. Null when it is not the person
 * named here.
 */
export function knownBrowser(
  headers: AnyCall['headers'],
  email: string,
  { cookies, hashes }: Uses<'hashes' | 'cookies'>,
): string | null {
  const device = cookies.device(headers);
  if (!device?.mark) return null;
  const emailHash = hashes.email(email);
  const expected = hashes.browserMark(device.id, emailHash);
  return timingSafeEqual(Buffer.from(device.mark), Buffer.from(expected)) ? emailHash : null;
}
