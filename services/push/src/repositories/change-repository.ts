// Stores manual changes and their actor in the transaction of the change. The audit log shows these rows.
import { Actor, type AuditEntry, type InputOf, type JsonObject, type ListPushChanges } from '@landfall/contracts';
import {
  type ChangedOnce,
  changeOnce,
  type Database,
  type Prisma,
  type PrismaTransaction,
  type PushChange,
  type Refused,
  toBytes,
} from '@landfall/db';

export interface ChangeRequest {
  readonly action: string;
  readonly actor: Actor;
  readonly teamId: string | null;
  readonly context: { readonly id: string; readonly now: Date };
}

/** A change and its entry in the audit log. The entry contains no secret and no hash of a secret. */
export interface Change {
  readonly appId: string;
  readonly subject: string;
  readonly before?: object;
  readonly after?: object;
  /** The data of the reply, for this delivery of the message and for each redelivery. JSON. */
  readonly done: object;
  /** Set when the change has no effect. The audit log then gets no entry. */
  readonly unchanged?: true;
}

export function changeRepository({ prisma }: Database) {
  return {
    /** A redelivered message gets the stored result of its first delivery. Refusals are not stored. */
    change<const R extends Refused | Change>(
      asked: ChangeRequest,
      decide: (tx: PrismaTransaction) => Promise<R>,
    ): Promise<ChangedOnce<R>> {
      const { id: messageId } = asked.context;
      return prisma.$transaction((tx) =>
        changeOnce<R>(
          {
            find: async () => (await tx.pushChange.findUnique({ where: { messageId } }))?.reply ?? null,
            async keep(change) {
              if (!change.unchanged) await tx.pushChange.create({ data: rowOf(asked, change) });
            },
          },
          () => decide(tx),
        ),
      );
    },

    /** Returns the effect of an earlier delivery, for handlers whose work is expensive. */
    async doneBefore<T extends object>(messageId: string): Promise<T | null> {
      const before = await prisma.pushChange.findUnique({ where: { messageId }, select: { reply: true } });
      return before && (before.reply as unknown as T);
    },

    async list(
      {
        teamId,
        appId,
        userId,
        actorKind,
        anyTeam,
        action,
        from,
      }: Omit<InputOf<typeof ListPushChanges>, 'limit' | 'cursor'>,
      limit: number,
      after: { at: Date; id: string } | null,
    ): Promise<AuditEntry[]> {
      const rows = await prisma.pushChange.findMany({
        where: {
          ...(!anyTeam && { teamId }),
          ...(appId && { appId }),
          ...(userId && { actorUserId: userId }),
          ...(actorKind && { actorKind }),
          ...(action && { action }),
          ...(from && { AND: { at: { gte: new Date(from) } } }),
          ...(after && { at: { lte: after.at }, OR: [{ at: { lt: after.at } }, { messageId: { lt: after.id } }] }),
        },
        omit: { reply: true },
        orderBy: [{ at: 'desc' }, { messageId: 'desc' }],
        take: limit,
      });
      return rows.map(toEntry);
    },
  };
}

function rowOf({ action, actor, teamId, context }: ChangeRequest, done: Change): Prisma.PushChangeCreateInput {
  return {
    messageId: context.id,
    teamId,
    appId: done.appId,
    action,
    subjectId: done.subject,
    actorKind: actor.kind,
    actorUserId: actor.userId,
    tokenId: actor.tokenId,
    address: toBytes(actor.address),
    at: context.now,
    before: done.before && toJson(done.before),
    after: done.after && toJson(done.after),
    reply: toJson(done.done),
  };
}

export const toJson = (value: object) => value as JsonObject as Prisma.InputJsonObject;

const toEntry = (row: Omit<PushChange, 'reply'>): AuditEntry => ({
  id: row.messageId,
  at: row.at.toISOString(),
  actor: { kind: Actor.shape.kind.parse(row.actorKind), userId: row.actorUserId, tokenId: row.tokenId },
  address: row.address && Buffer.from(row.address).toString('base64url'),
  action: row.action,
  teamId: row.teamId,
  appId: row.appId,
  subject: row.subjectId,
  before: row.before as JsonObject | null,
  after: row.after as JsonObject | null,
});
