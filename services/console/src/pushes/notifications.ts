// Routes of notifications: lists, results, and changes. A scheduled one can be changed or cancelled, and a running one
// can be stopped.

import {
  type App,
  CancelPush,
  CountAudience,
  EditPush,
  FindNotification,
  ListNotifications,
  Notification,
  StopPush,
} from '@landfall/contracts';
import { LARGE_BODY_BYTES } from '@landfall/gateway';
import { ApiError, askIfMatch, etag, ifMatchHeader, orRefuse } from '@landfall/http';
import { z } from 'zod';
import type { Lookups } from '../lookups/lookups.ts';
import { next, pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import {
  changeOf,
  pushChangeFields,
  pushTarget,
  readScheduleAt,
  scheduleAt,
  targetOf,
  ttlSeconds,
} from './push-fields.ts';

export const listNotifications = manageRoute('GET /api/manage/apps/:appId/notifications', {
  name: 'listNotifications',
  summary: "List an app's notifications with their results, latest first",
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery,
  reply: z.object({ notifications: z.array(Notification), next: next() }),
  async handle({ params: { appId }, query: { limit, cursor = null } }, { forward }) {
    return forward(ListNotifications, { appId, limit, cursor });
  },
});

export const countAudience = manageRoute('POST /api/manage/apps/:appId/notifications/audience', {
  name: 'countAudience',
  summary: 'Count the devices that a push would go to',
  needs: { role: 'viewer', of: 'app' },
  bodyBytes: LARGE_BODY_BYTES,
  body: z.object({ target: pushTarget() }),
  reply: CountAudience.reply,
  async handle({ params: { appId }, body }, { forward, hashes }) {
    return forward(CountAudience, { appId, target: targetOf(body.target, hashes) });
  },
});

export const getNotification = manageRoute('GET /api/manage/notifications/:notificationId', {
  name: 'getNotification',
  summary: 'Get a notification with its results, and the reasons why devices did not get it',
  needs: { role: 'viewer', of: 'notification' },
  reply: FindNotification.reply,
  async handle({ params, setHeader }, { forward }) {
    const found = await forward(FindNotification, params);
    setHeader('ETag', etag(found.notification));
    return found;
  },
});

const reply = z.object({ notification: Notification });

async function appOf(notificationId: string, lookups: Lookups): Promise<App> {
  const found = await lookups.notification(notificationId);
  const app = found && (await lookups.app(found.appId));
  if (!app) throw new ApiError('NOTIFICATION_NOT_FOUND');
  return app;
}

export const editPush = manageRoute('PATCH /api/manage/notifications/:notificationId', {
  name: 'editPush',
  summary: 'Change a scheduled notification; omitted fields do not change',
  needs: { role: 'member', of: 'notification' },
  headers: ifMatchHeader,
  bodyBytes: LARGE_BODY_BYTES,
  body: z.object({
    ...pushChangeFields,
    target: pushTarget().optional(),
    scheduleAt: scheduleAt().optional().describe('The time to send it, within a year. A past time means at once.'),
    ttlSeconds: ttlSeconds().optional().describe('Counted from the time of sending. If omitted, it does not change.'),
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

export const cancelPush = manageRoute('POST /api/manage/notifications/:notificationId/cancel', {
  name: 'cancelPush',
  summary: 'Cancel a scheduled notification',
  needs: { role: 'member', of: 'notification' },
  reply,
  errors: ['PUSH_BEGUN'],
  async handle({ actor, params: { notificationId } }, { forward, lookups }) {
    const { teamId } = await appOf(notificationId, lookups);
    return forward(CancelPush, { actor: actor(), teamId, notificationId });
  },
});

export const stopPush = manageRoute('POST /api/manage/notifications/:notificationId/stop', {
  name: 'stopPush',
  summary:
    'Stop a notification that is being sent: devices to which it is not yet on its way do not get it. A scheduled one is cancelled',
  needs: { role: 'member', of: 'notification' },
  reply,
  errors: ['PUSH_SENT'],
  async handle({ actor, params: { notificationId } }, { forward, lookups }) {
    const { teamId } = await appOf(notificationId, lookups);
    return forward(StopPush, { actor: actor(), teamId, notificationId });
  },
});
