// The first owner of an instance: made once, by whoever has the one-time code, or by the environment.
import { randomUUID } from 'node:crypto';
import type { Actor, Person, Team } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { type Sealer, StartError } from '@landfall/runtime';
import { refusePassword } from './passwords/common-passwords.ts';
import { createPasswords } from './passwords/passwords.ts';
import { type AccountRepository, accountRepository } from './repositories/account-repository.ts';

export interface FirstOwner {
  userId: string;
  teamId: string;
  /** Sealed. */
  email: string;
  name: string;
  passwordHash: string;
  teamName: string;
  now: Date;
}

/** Apps that were there before anybody, with their hosts: who keeps copies is told. */
export interface Adopted {
  appId: string;
  version: number;
  hosts: string[];
}

/** Null when the instance has an owner. Apps that have no team become theirs. */
export async function makeFirstOwner(
  account: AccountRepository,
  tx: PrismaTransaction,
  { userId, teamId, email, name, passwordHash, teamName, now }: FirstOwner,
): Promise<{ person: Person; team: Team; adopted: Adopted[] } | null> {
  await account.people.lockFirstOwner(tx);
  if (await account.people.hasOwner(tx)) return null;
  const owner = { id: userId, email, name, passwordHash, instanceOwner: true, now };
  const person = await account.people.insert(tx, owner);
  const team = await account.teams.insert(tx, { id: teamId, name: teamName, now });
  await account.teams.addMember(tx, { teamId, userId, role: 'owner', now });
  await account.signIns.withdrawCodes(tx);
  const adopted: Adopted[] = [];
  for (const { id: appId, version } of await account.apps.adopt(tx, teamId))
    adopted.push({ appId, version, hosts: await account.apps.hostsOf(tx, appId) });
  return { person, team, adopted };
}

/** Makes the first owner from the environment. */
export interface InitOwner {
  email: string;
  password: string;
}

const OPERATOR: Actor = { kind: 'operator', userId: null, tokenId: null, address: null };

/**
 * Makes the owner that the environment names, unless the instance has one: no password is ever reset. Called before anybody
 * is served, so nobody keeps copies of the apps that become theirs for longer than a minute.
 */
export async function ensureFirstOwner(
  { database, sealer }: { database: Database; sealer: Sealer },
  { email, password }: InitOwner,
  now: Date,
): Promise<void> {
  const account = accountRepository(database, sealer);
  if (await account.people.hasOwner()) return;
  const refused = await refusePassword(password);
  if (refused === 'PASSWORD_TOO_SHORT')
    throw new StartError('LANDFALL_INIT_OWNER_PASSWORD must have at least 10 characters.');
  if (refused)
    throw new StartError('LANDFALL_INIT_OWNER_PASSWORD is among the most common passwords: give another one.');
  const passwordHash = await createPasswords().hash(password);
  await account.transaction(async (tx) => {
    const made = await makeFirstOwner(account, tx, {
      userId: randomUUID(),
      teamId: randomUUID(),
      email: sealer.seal('email', email),
      name: email.split('@')[0] ?? '',
      passwordHash,
      teamName: 'First team',
      now,
    });
    if (!made) return;
    const { person, team, adopted } = made;
    const done = { subject: person.id, teamId: team.id, after: setUpSaid(email, team, adopted) };
    await account.note(tx, { command: 'SetUp', actor: OPERATOR, context: { id: randomUUID(), now } }, done);
  });
}

/**
 * The entry in the audit log.
 * @param email in clear
 */
export const setUpSaid = (email: string, team: Team, adopted: readonly Adopted[]): object => ({
  email,
  team: team.name,
  apps: adopted.map(({ appId }) => appId),
});
