import type { One } from '@landfall/bus';
import type { FindNotification } from '@landfall/contracts';
import { shown } from '../domain/notification.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function findNotification({ notifications }: PushRepository): One<typeof FindNotification> {
  return async ({ notificationId }, { now }) => {
    const [found, reasons] = await Promise.all([
      notifications.find(notificationId),
      notifications.reasons(notificationId),
    ]);
    if (!found) return { refusal: { code: 'NOTIFICATION_NOT_FOUND', facts: {} } };
    return { reply: { notification: shown(found, now), reasons } };
  };
}
