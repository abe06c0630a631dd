// Notifications in PostgreSQL.
import type { JsonObject, PushTarget } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction, Notification as Row } from '@landfall/db';
import type { Stored } from '../domain/notification.ts';
import { readMessage } from '../stored-message.ts';

/** The fields that an edit may change. */
export type NotificationEdit = Pick<Stored, 'message' | 'target' | 'sendAt' | 'expiresAt' | 'targeted'>;

export type NewNotification = NotificationEdit &
  Pick<Stored, 'id' | 'appId' | 'createdAt'> & { readonly inputHash: Uint8Array<ArrayBuffer> };

/** The maximum number of reasons that are returned. */
const MOST_REASONS = 20;

export function notificationRepository({ prisma, rows }: Database) {
  return {
    async insert(tx: PrismaTransaction, { message, target, ...rest }: NewNotification): Promise<void> {
      await tx.notification.create({ data: { ...rest, message: toJson(message), target: toJson(target) } });
    },

    /** Returns the hash of the request with this id. Null when there is no such request. */
    async inputHash(id: string): Promise<Uint8Array | null> {
      const found = await prisma.notification.findUnique({ where: { id }, select: { inputHash: true } });
      return found?.inputHash ?? null;
    },

    async find(id: string, tx: PrismaTransaction = prisma): Promise<Stored | null> {
      const row = await tx.notification.findUnique({ where: { id } });
      return row && toStored(row);
    },

    /**
     * Cancels a notification that is scheduled for later, if no worker has begun with it. Returns true when this call
     * cancelled it.
     */
    async cancel(tx: PrismaTransaction, id: string, now: Date): Promise<boolean> {
      const { count } = await tx.notification.updateMany({
        where: { id, cancelledAt: null, sendAt: { gt: now }, expandedTo: null, leasedUntil: null, expandedAt: null },
        data: { cancelledAt: now },
      });
      return count > 0;
    },

    /**
     * Returns the notification and locks it. Until the transaction ends, no other transaction changes it, begins with
     * it, or settles its deliveries.
     */
    async lock(tx: PrismaTransaction, id: string): Promise<Stored | null> {
      await tx.$queryRaw`select 1 from push.notifications where id = ${id}::uuid for update`;
      return this.find(id, tx);
    },

    /** Stops a locked notification. No more deliveries are created, and the queued deliveries end. */
    async stop(tx: PrismaTransaction, { id, expandedAt, version }: Stored, now: Date): Promise<Stored> {
      const stopped = { stoppedAt: now, stopping: true, expandedAt: expandedAt ?? now, version: version + 1 };
      return toStored(await tx.notification.update({ where: { id }, data: stopped }));
    },

    /** Edits a locked notification. */
    async edit(tx: PrismaTransaction, id: string, { message, target, ...rest }: NotificationEdit): Promise<Stored> {
      const data = { ...rest, message: toJson(message), target: toJson(target), version: { increment: 1 } };
      return toStored(await tx.notification.update({ where: { id }, data }));
    },

    /** Returns the notifications of an app, latest first, after the row that the cursor names. */
    async list(appId: string, limit: number, after: { at: Date; id: string } | null): Promise<Stored[]> {
      const found = await prisma.notification.findMany({
        where: {
          appId,
          ...(after && {
            createdAt: { lte: after.at },
            OR: [{ createdAt: { lt: after.at } }, { id: { lt: after.id } }],
          }),
        },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return found.map(toStored);
    },

    /** Returns the reasons why devices did not get the notification, the most frequent first. */
    reasons: (notificationId: string): Promise<{ reason: string; count: number }[]> =>
      rows(
        `select coalesce(reason, state) as reason, count(*)::int as count from push.deliveries
         where notification_id = $1 and state in ('failed', 'unknown') group by 1 order by 2 desc, 1 limit ${MOST_REASONS}`,
        [notificationId],
      ),
  };
}

const toJson = (value: object) => value as JsonObject as Prisma.InputJsonObject;

const toStored = ({ inputHash: _, message, target, ...row }: Row): Stored => ({
  ...row,
  message: readMessage(message),
  target: target as unknown as PushTarget,
});
