// People and teams for tests.
import { createHash } from 'node:crypto';
import type { Actor, Role } from '@landfall/contracts';
import { makeSecret } from './access/one-time.ts';
import { accountRepository } from './account-repository.ts';
import { DEFAULT_RULES } from './config.ts';
import { type Answered, type ConsoleFixture, done, newBrowser, refused } from './console.testing.ts';
import type { Person } from './people/person-repository.ts';
import type { Session } from './sessions/session-repository.ts';
import { signIn as signInRoute } from './sessions/session-routes.ts';
import { offerSetUp } from './set-up/offer-set-up.ts';
import { setUp as setUpRoute } from './set-up/set-up.ts';
import { invite, join as joinByInvitation } from './teams/invitations.ts';

export { done, refused };

/** The rules of an installation where every person may make teams. */
export const rules = { ...DEFAULT_RULES, TEAM_CREATION: 'anyone', MAX_TEAMS_PER_PERSON: 1_000 } as const;
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
export const PASSWORD = 'correct horse battery';
export const as = (userId: string): Actor => ({ kind: 'person', userId, tokenId: null, address: hashOf('home') });

/** Makes the first owner and their team. */
export async function setUp(fixture: ConsoleFixture, who = 'ada@example.com', browser = newBrowser()) {
  const code = makeSecret();
  const now = new Date(fixture.clock());
  await offerSetUp(fixture.database, { publicUrl: 'http://api.test', hasPages: true }, { code, now });
  const wanted = { code: code.plaintext, email: who, password: PASSWORD, name: 'Ada', teamName: 'First', browser };
  const { person, session } = await done(fixture.ask(setUpRoute, wanted));
  const [team] = await accountRepository(fixture.database).teams.ofPerson(person.id);
  return { userId: person.id, teamId: team!.id, sessionId: session.id, browser };
}

/** Invites a person without an account, and lets them join. */
export async function join(
  fixture: ConsoleFixture,
  by: Actor,
  teamId: string,
  who: string,
  role: Role,
): Promise<string> {
  const { code } = await done(fixture.ask(invite, { actor: by, teamId, email: who, role }));
  const { person } = await done(fixture.ask(joinByInvitation, { code, name: who.split('@')[0]!, password: PASSWORD }));
  return person.id;
}

/** The answer to the password of a person without a second factor. */
type Entered = Answered<typeof signInRoute> & ({ ok: false } | { reply: { person: Person; session: Session } });

export const signIn = (fixture: ConsoleFixture, who: string, typed = PASSWORD, browser = newBrowser()) =>
  fixture.ask(signInRoute, { email: who, password: typed, browser }) as Promise<Entered>;
