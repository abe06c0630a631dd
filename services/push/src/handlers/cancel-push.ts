import type { One } from '@landfall/bus';
import type { CancelPush } from '@landfall/contracts';
import { shown } from '../domain/notification.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function cancelPush({ changes, notifications }: PushRepository): One<typeof CancelPush> {
  return async ({ actor, teamId, notificationId }, context) => {
    const { now } = context;
    const change = await changes.change({ action: 'CancelPush', actor, teamId, context }, async (tx) => {
      const cancelled = await notifications.cancel(tx, notificationId, now);
      const found = await notifications.find(notificationId, tx);
      if (!found) return { refusal: { code: 'NOTIFICATION_NOT_FOUND', facts: {} } };
      if (!cancelled) return { refusal: { code: 'PUSH_BEGUN', facts: {} } };
      const notification = shown(found, now);
      return {
        appId: found.appId,
        subject: notificationId,
        before: { cancelledAt: null },
        after: { cancelledAt: notification.cancelledAt },
        done: { notification },
      };
    });
    return 'refusal' in change ? change : { reply: change.done };
  };
}
