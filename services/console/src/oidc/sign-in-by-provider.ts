import type { Actor } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Changing } from '../changes/change.ts';
import type { ConsoleParts } from '../parts.ts';
import { endAccess } from '../people/end-access.ts';
import type { Person } from '../people/person-repository.ts';
import { beginSession, type NewSession, personsChanged } from '../sessions/session-of-browser.ts';
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
  name: string;
  /** True when the domain of the email needs no invitation. */
  ofOwnDomain: boolean;
  /** The SHA-256 of the value that this browser got at an earlier sign-in. */
  deviceHash: string | null;
}

/** @throws ApiError with the reason of {@link refuseNewcomer}, or SIGN_IN_USED for a visit that made a session */
export function signInByProvider(wanted: FromProvider, { change, now: clock }: ConsoleParts) {
  const { visit, issuer, address } = wanted;
  const actorOf = (userId: string | null): Actor => ({ kind: 'person', userId, tokenId: null, address });
  return change({ command: 'SignInByProvider', actor: actorOf(null), now: clock() }, async (at) => {
    const { tx, account, now } = at;
    // Of those who come at once with one identity, the second finds what the first has made.
    await account.identities.lock(tx, wanted);
    if ((await tx.session.count({ where: { id: visit } })) > 0) throw new ApiError('SIGN_IN_USED');
    const known = await account.identities.use(tx, wanted, now);
    const { person, how } = known === null ? await welcome(at, wanted) : await knownPerson(at, known);
    const userId = person.id;
    const { session, left } = await beginSession(at, { ...wanted, byProvider: true }, userId, visit);
    const after = { issuer, person: how, ...(how === 'made' && { email: person.email }) };
    const events = personsChanged(left, how === 'taken over' ? userId : null);
    return { actor: actorOf(userId), subject: session.id, after, done: { session, person }, events };
  });
}

interface Found {
  person: Person;
  how: 'known' | 'linked' | 'made' | 'taken over';
}

async function knownPerson({ tx, account, now }: Changing, userId: string): Promise<Found> {
  const { person } = (await account.people.find(userId, tx))!;
  // The provider confirmed the email when the identity was linked.
  return { person: person.emailVerified ? person : await account.people.confirm(tx, userId, now), how: 'known' };
}

/** An identity that the provider has not sent before belongs to the person with the email, or to a new one. */
async function welcome(at: Changing, wanted: FromProvider): Promise<Found> {
  const { tx, account, now } = at;
  const { email, name, deviceHash, issuer, ofOwnDomain } = wanted;
  if (email === null) throw new ApiError('EMAIL_NOT_VERIFIED');
  await account.people.lockEmail(tx, email);
  const byEmail = await account.people.findByEmail(email, tx);
  const userId = byEmail?.person.id ?? at.id;
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
    invited: !there && (await account.invitations.isInvited(tx, email, now)),
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
  if (how === 'taken over') await handOver(at, there.person, wanted.name);
  return { person: await account.people.confirm(tx, userId, now), how };
}

async function handOver(at: Changing, person: Person, name: string) {
  await at.account.people.handOver(at.tx, person.id, name || person.name);
  await endAccess(at, person.id);
}
