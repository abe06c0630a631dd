import type { One, Outcome } from '@landfall/bus';
import type { ReplyOf, SignIn } from '@landfall/contracts';
import { beginSession, personsChanged } from '../common/begin-session.ts';
import { placeOf } from '../domain/sign-in.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import type { Secrets } from '../secrets.ts';

interface SignedIn {
  reply: ReplyOf<typeof SignIn>;
  left?: string | null;
}

/** Signs a person in. An unknown email gets the same answer as a wrong password, after the same time. */
export function signIn(account: AccountRepository, { sealer, passwords }: Secrets): One<typeof SignIn> {
  return async (wanted, context): Promise<Outcome<typeof SignIn>> => {
    const { id, now } = context;
    const { email, emailHash, session, address, deviceHash, newDeviceHash } = wanted;
    const before = await account.doneBefore<SignedIn>(id);
    if (before) return answered(before);

    const known = await account.people.findByEmail(email);
    const places = await account.signIns.knownPlaces(known?.person.id ?? NOBODY, [deviceHash, address], now);
    const of = { emailHash, place: placeOf({ deviceHash, address }, places) };
    const attempt = { of, typed: sealer.open('password', wanted.password), stored: known?.passwordHash ?? null };
    const checked = await checkPassword(account, passwords, attempt, context);
    if (!checked.right && checked.waitSeconds > 0)
      return { refusal: { code: 'SIGN_IN_DELAYED', facts: { seconds: checked.waitSeconds } } };
    if (!checked.right || !known) return refuse('WRONG_CREDENTIALS');

    const { person, passwordHash } = known;
    const actor = { kind: 'person', userId: person.id, tokenId: null, address } as const;
    const change = await account.change({ command: 'SignIn', actor, context }, async (tx) => {
      // The password has changed since the check, so the given one is now wrong.
      if ((await account.people.lock(tx, person.id))?.passwordHash !== passwordHash) return refuse('WRONG_CREDENTIALS');
      const begun = await beginSession(account, tx, { id, userId: person.id, made: session, now });
      await account.signIns.forget(tx, of);
      await account.signIns.know(tx, person.id, [newDeviceHash, address], now);
      const done: SignedIn = { reply: { session: begun.session, person }, left: begun.left };
      return { subject: begun.session.id, done };
    });
    return 'refusal' in change ? change : answered(change.done);
  };
}

const answered = ({ reply, left }: SignedIn) => ({ reply, events: personsChanged(left) });

/**
 * The id for an unknown email. The lookup of places runs anyway, so the response time does not show whether the email
 * exists.
 */
const NOBODY = '00000000-0000-0000-0000-000000000000';
