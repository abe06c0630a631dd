import type { One } from '@landfall/bus';
import {
  CancelPush,
  type FindNotification,
  type ListNotifications,
  type ListPushChanges,
  nextCursor,
  readCursor,
  StopPush,
} from '@landfall/contracts';
import { changing, refused } from '../changing.ts';
import { shown, statusOf } from '../domain/notification.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

const NOT_FOUND = refused('NOTIFICATION_NOT_FOUND');

export function findNotification({ notifications }: PushRepository): One<typeof FindNotification> {
  return async ({ notificationId }, { now }) => {
    const [found, reasons] = await Promise.all([
      notifications.find(notificationId),
      notifications.reasons(notificationId),
    ]);
    return found ? { reply: { notification: shown(found, now), reasons } } : NOT_FOUND;
  };
}

export function listNotifications(push: PushRepository): One<typeof ListNotifications> {
  return async ({ appId, limit, cursor }, { now }) => {
    const found = await push.notifications.list(appId, limit, readCursor(cursor));
    const next = nextCursor(found, limit, ({ createdAt }) => createdAt);
    return { reply: { notifications: found.map((one) => shown(one, now)), next } };
  };
}

export const cancelPush = (push: PushRepository) =>
  changing(CancelPush, push, async ({ notificationId }, tx, { now }) => {
    const cancelled = await push.notifications.cancel(tx, notificationId, now);
    const found = await push.notifications.find(notificationId, tx);
    if (!found) return NOT_FOUND;
    if (!cancelled) return refused('PUSH_BEGUN');
    const notification = shown(found, now);
    const { title } = found.message;
    return {
      appId: found.appId,
      subject: notificationId,
      before: { title, cancelledAt: null },
      after: { title, cancelledAt: notification.cancelledAt },
      done: { notification },
    };
  });

export const stopPush = (push: PushRepository, wake: () => void) =>
  changing(
    StopPush,
    push,
    async ({ notificationId }, tx, { now }) => {
      const { notifications } = push;
      const found = await notifications.lock(tx, notificationId);
      if (!found) return NOT_FOUND;
      const status = statusOf(found, now);
      if (status === 'sent') return refused('PUSH_SENT');
      const of = { appId: found.appId, subject: notificationId };
      if (found.cancelledAt || found.stoppedAt)
        return { ...of, done: { notification: shown(found, now) }, unchanged: true };
      if (status === 'scheduled') await notifications.cancel(tx, notificationId, now);
      else await notifications.stop(tx, found, now);
      const notification = shown((await notifications.find(notificationId, tx))!, now);
      const { title } = found.message;
      const states = { before: { title, status }, after: { title, status: notification.status } };
      return { ...of, ...states, done: { notification } };
    },
    wake,
  );

export function listPushChanges({ changes }: PushRepository): One<typeof ListPushChanges> {
  return async ({ limit, cursor, ...of }) => {
    const entries = await changes.list(of, limit, readCursor(cursor));
    return { reply: { entries, next: nextCursor(entries, limit, ({ at }) => at) } };
  };
}
