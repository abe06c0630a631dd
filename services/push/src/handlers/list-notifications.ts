import type { One } from '@landfall/bus';
import { type ListNotifications, nextCursor, readCursor } from '@landfall/contracts';
import { shown } from '../domain/notification.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function listNotifications(push: PushRepository): One<typeof ListNotifications> {
  return async ({ appId, limit, cursor }, { now }) => {
    const found = await push.notifications.list(appId, limit, readCursor(cursor));
    const next = nextCursor(found, limit, ({ createdAt }) => createdAt);
    return { reply: { notifications: found.map((one) => shown(one, now)), next } };
  };
}
