// Begins a session, and ends the previous session of the browser, even if it belongs to another person.

import { type EventToTell, told } from '@landfall/bus';
import { PersonChanged, type Session } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { AccountRepository } from '../account-repository.ts';

/** A session that a browser gets. */
export interface MadeSession {
  /** The SHA-256 of its id. */
  hash: string;
  userAgent: string;
  /** The SHA-256 of the id of this browser's earlier session, which ends. Null: there is none. */
  replaces: string | null;
}

interface Begun {
  session: Session;
  /** The user whose session ended. Null: no session ended. */
  left: string | null;
}

export async function beginSession(
  account: AccountRepository,
  tx: PrismaTransaction,
  { id, userId, made, now }: { id: string; userId: string; made: MadeSession; now: Date },
): Promise<Begun> {
  const { replaces, ...fresh } = made;
  const left = replaces === null ? null : await account.sessions.endByHash(tx, replaces, now);
  return { session: await account.sessions.insert(tx, { id, userId, ...fresh, now }), left };
}

/** Returns the events for people whose cached copies are out of date. */
export const personsChanged = (...userIds: (string | null | undefined)[]): EventToTell[] =>
  [...new Set(userIds)].filter((userId) => userId != null).map((userId) => told(PersonChanged, { userId }));
