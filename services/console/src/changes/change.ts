// Makes a change in one transaction: its rows, its entry in the audit log, and the events that tell others about it.
import { randomUUID } from 'node:crypto';
import type { Actor, JsonObject } from '@landfall/contracts';
import type { Prisma, PrismaTransaction } from '@landfall/db';
import type { AccountRepository } from '../account-repository.ts';
import { toBytes } from '../rows.ts';
import type { Effect, Outbox } from './outbox.ts';

/** Who asks for a change, what it is called in the audit log, and when. */
export interface ChangeRequest {
  command: string;
  actor: Actor;
  now: Date;
}

/** An entry of the audit log. It contains no secret and no hash of a secret. */
export interface Entry {
  /** The caller, if only the change itself finds out who it is. */
  actor?: Actor;
  subject: string;
  teamId?: string | null;
  appId?: string | null;
  before?: object;
  after?: object;
}

export interface Change<D> extends Entry, Effect<D> {
  /** Further entries, e.g. for the log of another team. */
  also?: readonly Entry[];
}

export interface Changing {
  tx: PrismaTransaction;
  account: AccountRepository;
  actor: Actor;
  /** The id of the change. A thing that the change creates has the same. */
  id: string;
  now: Date;
}

/** Returns a function that runs a change. What `decide` throws ends the transaction, and nothing is stored. */
export function createChange({ telling }: Outbox, account: AccountRepository) {
  return async <D>(asked: ChangeRequest, decide: (changing: Changing) => Promise<Change<D>>): Promise<D> => {
    const id = randomUUID();
    const { actor, now } = asked;
    return telling({ id, now }, async (tx) => {
      const change = await decide({ tx, account, actor, id, now });
      await writeEntry(tx, asked, change, id);
      for (const entry of change.also ?? []) await writeEntry(tx, asked, entry);
      return change;
    });
  };
}

export async function writeEntry(
  tx: PrismaTransaction,
  { command, actor: asker, now }: ChangeRequest,
  { actor = asker, subject, teamId = null, appId = null, before, after }: Entry,
  id: string = randomUUID(),
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      id,
      at: now,
      actorKind: actor.kind,
      actorUserId: actor.userId,
      tokenId: actor.tokenId,
      address: actor.address === null ? null : toBytes(actor.address),
      action: command,
      teamId,
      appId,
      subject,
      before: before && toJson(before),
      after: after && toJson(after),
    },
  });
}

const toJson = (value: object) => value as JsonObject as Prisma.InputJsonObject;
