// People and teams for tests.
import { createHash, randomUUID } from 'node:crypto';
import type { Answer, Bus } from '@landfall/bus';
import {
  type Actor,
  FindPerson,
  Invite,
  JoinByInvitation,
  OfferSetUp,
  type RequestDef,
  type Role,
  SetUp,
  SignIn,
} from '@landfall/contracts';
import { createSealer } from '@landfall/runtime';
import { DEFAULT_RULES } from './domain/rules.ts';
import { createPasswords } from './passwords/passwords.ts';
import { type AccountParts, accountService } from './service.ts';

export const sealer = createSealer('a secret of thirty-two characters');
/** The rules of an installation where every person may make teams. */
const rules = { ...DEFAULT_RULES, teamCreation: 'anyone', teamsPerPerson: 1_000 } as const;
/** Argon2id with the lowest cost, which takes almost no time. */
const passwords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
export const service = (parts: Omit<AccountParts, 'sealer'>): void =>
  accountService({ rules, passwords, ...parts, sealer });

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
export const PASSWORD = 'correct horse battery';
export const email = (text: string): string => sealer.seal('email', text);
export const password = (text = PASSWORD): string => sealer.seal('password', text);
export const opened = (sealedEmail: string): string => sealer.open('email', sealedEmail);
export const browser = (id: string = randomUUID()) => ({ hash: hashOf(id), userAgent: 'Firefox', replaces: null });
export const as = (userId: string): Actor => ({ kind: 'person', userId, tokenId: null, address: hashOf('home') });

/** Returns the reply. A refusal fails the test. */
export async function done<D extends RequestDef>(asked: Promise<Answer<D>>) {
  const answer = await asked;
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

/** Returns the code of the refusal. A reply fails the test. */
export async function refused<D extends RequestDef>(asked: Promise<Answer<D>>): Promise<string> {
  const answer = await asked;
  if (answer.ok) throw new Error(`was not refused: ${JSON.stringify(answer.reply)}`);
  return answer.refusal.code;
}

/** Makes the first owner and their team. */
export async function setUp(house: { bus: Bus }, who = 'ada@example.com') {
  await house.bus.ask(OfferSetUp, { codeHash: hashOf('set-up') });
  const { person, session } = await done(
    house.bus.ask(SetUp, {
      codeHash: hashOf('set-up'),
      email: email(who),
      password: password(),
      name: 'Ada',
      teamName: 'First',
      session: browser('first'),
      address: hashOf('home'),
    }),
  );
  const { teams } = await done(house.bus.ask(FindPerson, { userId: person.id }));
  return { userId: person.id, teamId: teams[0]!.id, sessionId: session.id };
}

/** Invites a person without an account, and lets them join. */
export async function join(house: { bus: Bus }, by: Actor, teamId: string, who: string, role: Role): Promise<string> {
  const codeHash = hashOf(randomUUID());
  await done(house.bus.ask(Invite, { actor: by, teamId, email: email(who), role, codeHash }));
  const { person } = await done(
    house.bus.ask(JoinByInvitation, {
      codeHash,
      name: who.split('@')[0]!,
      password: password(),
      session: browser(),
      address: null,
    }),
  );
  return person.id;
}

export interface From {
  address?: string;
  device?: string;
  newDevice?: string;
}

export const signIn = (house: { bus: Bus }, who: string, typed = PASSWORD, from: From = {}) =>
  house.bus.ask(SignIn, {
    email: email(who),
    emailHash: hashOf(`email ${who}`),
    password: password(typed),
    session: browser(),
    address: from.address ? hashOf(from.address) : null,
    deviceHash: from.device ? hashOf(from.device) : null,
    newDeviceHash: from.newDevice ? hashOf(from.newDevice) : null,
  });
