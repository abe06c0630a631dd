// Stores the effect of each command and its caller, in the transaction of the change.
import type { Actor, JsonObject } from '@landfall/contracts';
import {
  type ChangedOnce,
  changeOnce,
  type Database,
  type Prisma,
  type PrismaTransaction,
  type Refused,
} from '@landfall/db';
import { toBytes } from '../bytes.ts';

/** The message that requests a change, and its caller. */
export interface ChangeRequest {
  command: string;
  actor: Actor;
  context: { readonly id: string; readonly now: Date };
}

/** A change with its entry in the audit log. It contains no secret and no hash of a secret. */
export interface Change {
  /** The caller, if only the change itself finds out who it is. */
  actor?: Actor;
  /** The id of the changed thing. */
  subject: string;
  teamId?: string | null;
  appId?: string | null;
  before?: object;
  after?: object;
  /** The data for the reply and the events, used for the first and every later delivery. JSON. */
  done: object;
}

export type ChangeRepository = ReturnType<typeof changeRepository>;

export function changeRepository({ prisma }: Database) {
  return {
    /**
     * Runs a change once, in one transaction. A redelivered message gets the stored result of the first delivery.
     * Refusals are not stored.
     */
    change<const R extends Refused | Change>(
      asked: ChangeRequest,
      decide: (tx: PrismaTransaction) => Promise<R>,
    ): Promise<ChangedOnce<R>> {
      const { id: messageId, now: at } = asked.context;
      return prisma.$transaction((tx) =>
        changeOnce<R>(
          {
            find: async () => (await tx.accountChange.findUnique({ where: { messageId } }))?.reply ?? null,
            async keep(change) {
              const { subject, done } = change;
              await tx.accountChange.create({
                data: { messageId, subject, command: asked.command, reply: toJson(done), at },
              });
              await tx.auditEntry.create({ data: entryOf(asked, change) });
            },
          },
          () => decide(tx),
        ),
      );
    },

    /** Returns the effect of an earlier delivery, for handlers with expensive work. */
    async doneBefore<T extends object>(messageId: string): Promise<T | null> {
      const before = await prisma.accountChange.findUnique({ where: { messageId } });
      return before && (before.reply as unknown as T);
    },

    /** Writes another entry to the audit log. The id of `context` becomes the id of the entry. */
    async note(tx: PrismaTransaction, asked: ChangeRequest, done: Omit<Change, 'done'>): Promise<void> {
      await tx.auditEntry.create({ data: entryOf(asked, done) });
    },

    transaction: <T>(run: (tx: PrismaTransaction) => Promise<T>): Promise<T> => prisma.$transaction(run),
  };
}

function entryOf(
  { command, actor: asker, context }: ChangeRequest,
  done: Omit<Change, 'done'>,
): Prisma.AuditEntryCreateInput {
  const actor = done.actor ?? asker;
  return {
    id: context.id,
    at: context.now,
    actorKind: actor.kind,
    actorUserId: actor.userId,
    tokenId: actor.tokenId,
    address: actor.address === null ? null : toBytes(actor.address),
    action: command,
    teamId: done.teamId ?? null,
    appId: done.appId ?? null,
    subject: done.subject,
    before: done.before && toJson(done.before),
    after: done.after && toJson(done.after),
  };
}

const toJson = (value: object) => value as JsonObject as Prisma.InputJsonObject;
