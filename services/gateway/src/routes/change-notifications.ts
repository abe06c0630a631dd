// Changes, cancels or stops a notification.
import { type App, CancelPush, EditPush, Notification, StopPush } from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { askIfMatch, etag, ifMatchHeader } from '../http/etags.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { LARGE_BODY_BYTES } from './fields.ts';
import { notificationParams } from './manage-notifications.ts';
import {
  changeOf,
  pushChangeFields,
  pushTarget,
  readScheduleAt,
  scheduleAt,
  targetOf,
  ttlSeconds,
} from './push-fields.ts';

const reply = z.object({ notification: Notification });

async function appOf(notificationId: string, lookups: Lookups): Promise<App> {
  const found = await lookups.notification(notificationId);
  const app = found && (await lookups.app(found.appId));
  if (!app) throw new ApiError('NOTIFICATION_NOT_FOUND');
  return app;
}

export const editPush = manageRoute({
  method: 'PATCH',
  path: '/api/manage/notifications/:notificationId',
  name: 'editPush',
  summary: 'Change a notification that is scheduled; what is left out stays as it is',
  needs: { role: 'member', of: 'notification' },
  params: notificationParams,
  headers: ifMatchHeader,
  bodyBytes: LARGE_BODY_BYTES,
  body: z.object({
    ...pushChangeFields,
    target: pushTarget().optional(),
    scheduleAt: scheduleAt().optional().describe('When it is sent: within a year. At once when past.'),
    ttlSeconds: ttlSeconds().optional().describe('From when it is sent. As long as before when left out.'),
  }),
  reply,
  errors: ['PUSH_BEGUN', 'VERSION_MISMATCH', 'PUSH_TOO_LARGE', 'PUSH_WITHOUT_TITLE'],
  async handle({ actor, params: { notificationId }, body, headers, setHeader }, { bus, hashes, lookups, now }) {
    const { teamId } = await appOf(notificationId, lookups);
    const command = {
      actor: actor(),
      teamId,
      notificationId,
      message: changeOf(body),
      target: body.target && targetOf(body.target, hashes),
      sendAt: body.scheduleAt === undefined ? undefined : readScheduleAt(body.scheduleAt, now()),
      ttlSeconds: body.ttlSeconds,
    };
    const edit = (ifVersion: number | null) => bus.ask(EditPush, { ...command, ifVersion });
    const { notification } = orRefuse(await askIfMatch(headers, edit));
    setHeader('ETag', etag(notification));
    return { notification };
  },
});

export const cancelPush = manageRoute({
  method: 'POST',
  path: '/api/manage/notifications/:notificationId/cancel',
  name: 'cancelPush',
  summary: 'Take a notification back that is scheduled',
  needs: { role: 'member', of: 'notification' },
  params: notificationParams,
  reply,
  errors: ['PUSH_BEGUN'],
  async handle({ actor, params: { notificationId } }, { bus, lookups }) {
    const { teamId } = await appOf(notificationId, lookups);
    return orRefuse(await bus.ask(CancelPush, { actor: actor(), teamId, notificationId }));
  },
});

export const stopPush = manageRoute({
  method: 'POST',
  path: '/api/manage/notifications/:notificationId/stop',
  name: 'stopPush',
  summary:
    'Stop a notification that is being sent: whoever it is not on its way to does not get it; one that is scheduled is taken back',
  needs: { role: 'member', of: 'notification' },
  params: notificationParams,
  reply,
  errors: ['PUSH_SENT'],
  async handle({ actor, params: { notificationId } }, { bus, lookups }) {
    const { teamId } = await appOf(notificationId, lookups);
    return orRefuse(await bus.ask(StopPush, { actor: actor(), teamId, notificationId }));
  },
});
