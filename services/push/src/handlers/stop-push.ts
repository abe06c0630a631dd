import type { One } from '@landfall/bus';
import type { StopPush } from '@landfall/contracts';
import { shown, statusOf } from '../domain/notification.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

/** @param wake called after the commit, when there may be something to end; never throws */
export function stopPush({ changes, notifications }: PushRepository, wake: () => void): One<typeof StopPush> {
  return async ({ actor, teamId, notificationId }, context) => {
    const { now } = context;
    const change = await changes.change({ action: 'StopPush', actor, teamId, context }, async (tx) => {
      const found = await notifications.lock(tx, notificationId);
      if (!found) return { refusal: { code: 'NOTIFICATION_NOT_FOUND', facts: {} } };
      const status = statusOf(found, now);
      if (status === 'sent') return { refusal: { code: 'PUSH_SENT', facts: {} } };
      const of = { appId: found.appId, subject: notificationId };
      if (found.cancelledAt || found.stoppedAt)
        return { ...of, done: { notification: shown(found, now) }, unchanged: true };
      if (status === 'scheduled') await notifications.cancel(tx, notificationId, now);
      else await notifications.stop(tx, found, now);
      const notification = shown((await notifications.find(notificationId, tx))!, now);
      return { ...of, before: { status }, after: { status: notification.status }, done: { notification } };
    });
    if ('refusal' in change) return change;
    wake();
    return { reply: change.done };
  };
}
