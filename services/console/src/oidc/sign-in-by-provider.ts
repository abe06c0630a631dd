// Signs in a person whose identity the provider has confirmed. Makes the person if that is allowed.
import type { Actor } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { ApiError } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import type { ConsoleParts } from '../parts.ts';
import type { Person } from '../people/person-repository.ts';
import { beginSession, type NewSession, personsChanged } from '../sessions/session-of-browser.ts';
import type { Session } from '../sessions/session-repository.ts';
import { refuseNewcomer, takesOver } from './newcomer.ts';

/** A person as the provider has confirmed them, and the browser in which they come back. */
export interface FromProvider extends NewSession {
  /** The id of the visit to the provider. The session gets it, so a visit makes only one session. */
  visit: string;
  issuer: string;
  /** The keyed hash of issuer and subject. */
  subjectHash: string;
  /** Null: the provider returns no email, or has not verified it. */
  email: string | null;
  /** The name for a new person. */
  name: string;
  /** True when the domain of the email needs no invitation. */
  ofOwnDomain: boolean;
  /** The SHA-256 of the value that this browser got at an earlier sign-in. */
  deviceHash: string | null;
}

/**
 * Signs the person in.
 * @throws ApiError with the reason of {@link refuseNewcomer}, or SIGN_IN_USED when the visit has already made a session
 */
export function signInByProvider(
  wanted: FromProvider,
  { account, change, now: clock }: ConsoleParts,
): Promise<{ session: Session; person: Person }> {
  const { visit, issuer, address } = wanted;
  const actorOf = (userId: string | null): Actor => ({ kind: 'person', userId, tokenId: null, address });
  return change({ command: 'SignInByProvider', actor: actorOf(null), now: clock() }, async ({ tx, id, now }) => {
    // Of those who come at once with one identity, the second finds what the first has made.
    await account.identities.lock(tx, wanted);
    if ((await tx.session.count({ where: { id: visit } })) > 0) throw new ApiError('SIGN_IN_USED');
    const known = await account.identities.use(tx, wanted, now);
    const { person, how } =
      known === null
        ? await welcome(account, tx, wanted, { newId: id, now })
        : await knownPerson(account, tx, known, now);
    const userId = person.id;
    const { session, left } = await beginSession(account, tx, wanted, { id: visit, userId, now });
    const after = { issuer, person: how, ...(how === 'made' && { email: person.email }) };
    const events = personsChanged(left, how === 'taken over' ? userId : null);
    return { actor: actorOf(userId), subject: session.id, after, done: { session, person }, events };
  });
}

interface Found {
  person: Person;
  how: 'known' | 'linked' | 'made' | 'taken over';
}

async function knownPerson(
  account: AccountRepository,
  tx: PrismaTransaction,
  userId: string,
  now: Date,
): Promise<Found> {
  const { person } = (await account.people.find(userId, tx))!;
  // The provider confirmed the email when the identity was linked.
  return { person: person.emailVerified ? person : await account.people.confirm(tx, userId, now), how: 'known' };
}

/**
 * Signs in an identity that the provider has not sent before. It belongs to the person with the email, or a new person
 * is made.
 */
async function welcome(
  account: AccountRepository,
  tx: PrismaTransaction,
  wanted: FromProvider,
  { newId, now }: { newId: string; now: Date },
): Promise<Found> {
  const { email, name, deviceHash, issuer, ofOwnDomain } = wanted;
  if (email === null) throw new ApiError('EMAIL_NOT_VERIFIED');
  await account.people.lockEmail(tx, email);
  const byEmail = await account.people.findByEmail(email, tx);
  const userId = byEmail?.person.id ?? newId;
  // Waits for a concurrent request that links this person to another identity.
  const there = byEmail && (await account.people.lock(tx, userId));
  const newcomer = {
    emailVerified: true,
    person: there && {
      hasPassword: there.person.hasPassword,
      hasIdentity: await account.identities.has(tx, userId, issuer),
      browserKnown: (await account.signIns.knownPlaces(userId, [deviceHash], now, tx)).size > 0,
      claimable: there.claimable,
      instanceOwner: there.person.instanceOwner,
    },
    invited: !there && (await account.teams.isInvited(tx, email, now)),
    // Without an owner this rule does not apply: only the set-up makes the first owner.
    ofOwnDomain: ofOwnDomain && (await account.setUp.hasOwner(tx)),
  };
  const refused = refuseNewcomer(newcomer);
  if (refused) throw new ApiError(refused);
  if (!there) {
    const made = { id: userId, email, name, passwordHash: null, instanceOwner: false, claimable: false };
    const person = await account.people.insert(tx, { ...made, emailConfirmedAt: now, createdAt: now });
    await account.identities.link(tx, wanted, userId, now);
    return { person, how: 'made' };
  }
  await account.identities.link(tx, wanted, userId, now);
  const how = takesOver(newcomer) ? 'taken over' : 'linked';
  if (how === 'taken over') await handOver(account, tx, there.person, wanted.name, now);
  return { person: await account.people.confirm(tx, userId, now), how };
}

/** Ends everything by which the person who made the account could use it. */
async function handOver(account: AccountRepository, tx: PrismaTransaction, person: Person, name: string, now: Date) {
  const { id: userId } = person;
  await account.people.handOver(tx, userId, name || person.name);
  await account.sessions.end(tx, { userId }, now);
  await account.tokens.revokeAll(tx, { userId }, now);
  await tx.knownPlace.deleteMany({ where: { userId } });
}
