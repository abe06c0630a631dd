import type { One, Outcome } from '@landfall/bus';
import type { Actor, InputOf, Person, ReplyOf, SignInByProvider } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { beginSession, personsChanged } from '../common/begin-session.ts';
import { refuseNewcomer, takesOver } from '../domain/identity.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import type { Secrets } from '../secrets.ts';

interface SignedIn {
  reply: ReplyOf<typeof SignInByProvider>;
  sessionHash: string;
  left?: string | null;
  /** The account was another person's until now. */
  taken?: boolean;
}

/**
 * Signs a person in through a provider. The message stands for one visit to the provider and makes only one session,
 * even if another browser sends it again.
 */
export function signInByProvider(account: AccountRepository, { sealer }: Secrets): One<typeof SignInByProvider> {
  return async (wanted, context): Promise<Outcome<typeof SignInByProvider>> => {
    const { id, now } = context;
    const { issuer, session, address, newDeviceHash } = wanted;
    const person = (userId: string | null): Actor => ({ kind: 'person', userId, tokenId: null, address });
    const change = await account.change({ command: 'SignInByProvider', actor: person(null), context }, async (tx) => {
      const known = await account.identities.use(tx, wanted, now);
      const found =
        known === null ? await welcome(account, tx, wanted, context) : await knownPerson(account, tx, known, now);
      if ('refusal' in found) return found;
      const { id: userId, email } = found.person;
      const begun = await beginSession(account, tx, { id, userId, made: session, now });
      await account.signIns.know(tx, userId, [newDeviceHash, address], now);
      const made = found.how === 'made' && { email: sealer.open('email', email) };
      const reply = { session: begun.session, person: found.person };
      const taken = found.how === 'taken over';
      const done: SignedIn = { reply, sessionHash: session.hash, left: begun.left, taken };
      return { actor: person(userId), subject: begun.session.id, after: { issuer, person: found.how, ...made }, done };
    });
    if ('refusal' in change) return change;
    const { reply, sessionHash, left, taken } = change.done;
    return sessionHash === session.hash
      ? { reply, events: personsChanged(left, taken ? reply.person.id : null) }
      : refuse('SIGN_IN_USED');
  };
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
  wanted: InputOf<typeof SignInByProvider>,
  { now, idFor }: { now: Date; idFor(name: string): string },
) {
  const { email, name, deviceHash, issuer, ofOwnDomain } = wanted;
  if (email === null) return refuse('EMAIL_NOT_VERIFIED');
  const byEmail = await account.people.findByEmail(email, tx);
  const userId = byEmail?.person.id ?? idFor('person');
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
    ofOwnDomain: ofOwnDomain && (await account.people.hasOwner(tx)),
  };
  const refused = refuseNewcomer(newcomer);
  if (refused) return refuse(refused);
  if (!there) {
    const made = { id: userId, email, name, passwordHash: null, instanceOwner: false, now };
    const person = await account.people.insert(tx, { ...made, confirmed: true, claimable: false });
    await account.identities.link(tx, wanted, userId, now);
    return { person, how: 'made' } satisfies Found;
  }
  await account.identities.link(tx, wanted, userId, now);
  const how = takesOver(newcomer) ? 'taken over' : 'linked';
  if (how === 'taken over') await handOver(account, tx, there.person, wanted.name, now);
  return { person: await account.people.confirm(tx, userId, now), how } satisfies Found;
}

/** Ends everything by which the person who made the account could use it. */
async function handOver(account: AccountRepository, tx: PrismaTransaction, person: Person, name: string, now: Date) {
  const { id: userId } = person;
  await account.people.handOver(tx, userId, name || person.name);
  await account.sessions.end(tx, { userId }, now);
  await account.tokens.revokeOfPerson(tx, userId, now);
  await account.signIns.forgetPlaces(tx, userId);
}
