// Routes of notifications: lists and results.

import { CountAudience, FindNotification, ListNotifications, Notification } from '@landfall/contracts';
import { LARGE_BODY_BYTES } from '@landfall/gateway';
import { etag } from '@landfall/http';
import { z } from 'zod';
import { appParams, id, next, pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { pushTarget, targetOf } from './push-fields.ts';

export const notificationParams = z.object({ notificationId: id() });

export const listNotifications = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/notifications',
  name: 'listNotifications',
  summary: "List an app's notifications with their results, latest first",
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery,
  reply: z.object({ notifications: z.array(Notification), next: next() }),
  errors: [],
  async handle({ params: { appId }, query: { limit, cursor = null } }, { forward }) {
    return forward(ListNotifications, { appId, limit, cursor });
  },
});

export const countAudience = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/notifications/audience',
  name: 'countAudience',
  summary: 'Count the devices that a push would go to',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  bodyBytes: LARGE_BODY_BYTES,
  body: z.object({ target: pushTarget() }),
  reply: CountAudience.reply,
  errors: [],
  async handle({ params: { appId }, body }, { forward, hashes }) {
    return forward(CountAudience, { appId, target: targetOf(body.target, hashes) });
  },
});

export const getNotification = manageRoute({
  method: 'GET',
  path: '/api/manage/notifications/:notificationId',
  name: 'getNotification',
  summary: 'Get a notification with its results, and the reasons why devices did not get it',
  needs: { role: 'viewer', of: 'notification' },
  params: notificationParams,
  reply: FindNotification.reply,
  errors: [],
  async handle({ params, setHeader }, { forward }) {
    const found = await forward(FindNotification, params);
    setHeader('ETag', etag(found.notification));
    return found;
  },
});
