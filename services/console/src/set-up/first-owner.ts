// The first owner of an instance. It is made once, by the person with the one-time code or from the environment.
import { randomUUID } from 'node:crypto';
import type { Actor, Person, Team } from '@landfall/contracts';
import type { Database, PrismaTransaction } from '@landfall/db';
import { type Sealer, StartError } from '@landfall/runtime';
import { type AccountRepository, accountRepository } from '../account-repository.ts';
import { writeEntry } from '../changes/change.ts';
import { type AppState, stateOf } from '../common/app-changed.ts';
import type { InitOwner } from '../config.ts';
import { refusePassword } from '../passwords/common-passwords.ts';
import { createPasswords } from '../passwords/passwords.ts';

export interface FirstOwner {
  userId: string;
  teamId: string;
  /** Encrypted by the sealer. */
  email: string;
  name: string;
  passwordHash: string;
  teamName: string;
  now: Date;
}

/**
 * Makes the first owner and their team. Apps without a team go to this team; events tell the caches about them. Returns
 * null if the instance has an owner.
 */
export async function makeFirstOwner(
  account: AccountRepository,
  tx: PrismaTransaction,
  { userId, teamId, email, name, passwordHash, teamName, now }: FirstOwner,
): Promise<{ person: Person; team: Team; adopted: AppState[] } | null> {
  await account.setUp.lockFirstOwner(tx);
  if (await account.setUp.hasOwner(tx)) return null;
  const owner = { id: userId, email, name, passwordHash, instanceOwner: true, confirmed: false, claimable: false, now };
  const person = await account.people.insert(tx, owner);
  const team = await account.teams.insert(tx, { id: teamId, name: teamName, now });
  await account.teams.addMember(tx, { teamId, userId, role: 'owner', now });
  await account.setUp.withdrawCodes(tx);
  const adopted: AppState[] = [];
  for (const app of await account.apps.adopt(tx, teamId))
    adopted.push(stateOf(app, await account.apps.hostsOf(tx, app.id)));
  return { person, team, adopted };
}

const OPERATOR: Actor = { kind: 'operator', userId: null, tokenId: null, address: null };

/**
 * Makes the owner that the environment names. Does nothing if the instance has an owner: it never resets a password.
 * Runs before the service answers requests, so no cache keeps an old copy of the adopted apps for longer than a minute.
 */
export async function ensureFirstOwner(
  { database, sealer }: { database: Database; sealer: Sealer },
  { email, password }: InitOwner,
  now: Date,
): Promise<void> {
  const account = accountRepository(database, sealer);
  if (await account.setUp.hasOwner()) return;
  const refused = await refusePassword(password);
  if (refused === 'PASSWORD_TOO_SHORT')
    throw new StartError('LANDFALL_INIT_OWNER_PASSWORD must have at least 10 characters.');
  if (refused)
    throw new StartError('LANDFALL_INIT_OWNER_PASSWORD is among the most common passwords: give another one.');
  const passwordHash = await createPasswords().hash(password);
  await database.prisma.$transaction(async (tx) => {
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
    const entry = { subject: person.id, teamId: team.id, after: setUpSaid(email, team, adopted) };
    await writeEntry(tx, { command: 'SetUp', actor: OPERATOR, now }, entry);
  });
}

/**
 * Returns the details for the audit log.
 * @param email not sealed
 */
export const setUpSaid = (email: string, team: Team, adopted: readonly Pick<AppState, 'appId'>[]): object => ({
  email,
  team: team.name,
  apps: adopted.map(({ appId }) => appId),
});
