// The first owner of an instance. It is made once, by the person with the one-time code or from the environment.
import { randomUUID } from 'node:crypto';
import { type App, OPERATOR } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { StartError } from '@landfall/runtime';
import { accountRepository } from '../account-repository.ts';
import { type Changing, writeEntry } from '../changes/change.ts';
import type { InitOwner } from '../config.ts';
import { refusePassword } from '../passwords/new-password.ts';
import { createPasswords } from '../passwords/passwords.ts';
import type { Person } from '../people/person-repository.ts';
import type { Team } from '../teams/team-repository.ts';

const FIRST_OWNER_LOCK = 72_707_370;

type Adopted = Pick<App, 'id' | 'version' | 'timeZone'>[];

/** Apps without a team go to the team of the owner. Null: the instance has an owner. */
export async function makeFirstOwner(
  { tx, account, now }: Pick<Changing, 'tx' | 'account' | 'now'>,
  owner: { userId: string; email: string; name: string; passwordHash: string; teamName: string },
): Promise<{ person: Person; team: Team; adopted: Adopted } | null> {
  const { userId, email, name, passwordHash, teamName } = owner;
  await tx.$executeRaw`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`;
  if (await account.setUp.hasOwner(tx)) return null;
  const given = { id: userId, email, name, passwordHash, emailConfirmedAt: null, createdAt: now };
  const person = await account.people.insert(tx, { ...given, instanceOwner: true, claimable: false });
  const team = await account.teams.insert(tx, { id: randomUUID(), name: teamName, now });
  await account.teams.addMember(tx, team.id, userId, 'owner', now);
  await tx.setUpCode.deleteMany();
  return { person, team, adopted: await account.apps.adopt(tx, team.id) };
}

/**
 * Makes the owner that the environment names. Does nothing if the instance has an owner: it never resets a password.
 * Runs before the service answers requests, so no cache keeps an old copy of the adopted apps for longer than a minute.
 */
export async function ensureFirstOwner(database: Database, { email, password }: InitOwner, now: Date): Promise<void> {
  const account = accountRepository(database);
  if (await account.setUp.hasOwner()) return;
  const refused = await refusePassword(password);
  if (refused === 'PASSWORD_TOO_SHORT')
    throw new StartError('LANDFALL_INIT_OWNER_PASSWORD must have at least 10 characters.');
  if (refused)
    throw new StartError('LANDFALL_INIT_OWNER_PASSWORD is among the most common passwords: give another one.');
  const passwordHash = await createPasswords().hash(password);
  await database.prisma.$transaction(async (tx) => {
    const name = email.split('@')[0] ?? '';
    const owner = { userId: randomUUID(), email, name, passwordHash, teamName: 'First team' };
    const made = await makeFirstOwner({ tx, account, now }, owner);
    if (!made) return;
    const { person, team, adopted } = made;
    const entry = { subject: person.id, teamId: team.id, after: setUpSaid(email, team, adopted) };
    await writeEntry(tx, { command: 'SetUp', actor: OPERATOR, now }, entry);
  });
}

export const setUpSaid = (email: string, team: Team, adopted: Adopted): object => ({
  email,
  team: team.name,
  apps: adopted.map(({ id }) => id),
});
