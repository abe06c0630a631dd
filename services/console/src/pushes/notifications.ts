import {
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
import type { NeedsRole } from '../access/needs.ts';
import type { ConsoleParts } from '../parts.ts';
import { next, pageQuery } from '../routes/manage-fields.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import {
  messageChangeOf,
  pushChangeFields,
  pushTarget,
  readScheduleAt,
  scheduleAt,
  targetOf,
  ttlSeconds,
} from './push-fields.ts';

export const listNotifications = manageRoute('GET /api/manage/apps/:appId/notifications', {
  summary: "List an app's notifications with their results, latest first",
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery,
  reply: z.object({ notifications: z.array(Notification), next: next() }),
  handle: ({ params, query }, { forward }) => forward(ListNotifications, { ...params, ...query }),
});

export const countAudience = manageRoute('POST /api/manage/apps/:appId/notifications/audience', {
  summary: 'Count the devices that a push would go to',
  needs: { role: 'viewer', of: 'app' },
  bodyBytes: LARGE_BODY_BYTES,
  body: z.object({ target: pushTarget() }),
  reply: CountAudience.reply.omit({ emailsWithoutDevice: true }).extend({
    usersWithoutDevice: z
      .array(z.string())
      .describe('Those of `userEmails` whom no device of this audience belongs to.'),
  }),
  async handle({ params, body }, { forward, hashes }) {
    const asked = { ...params, target: targetOf(body.target, hashes) };
    const { emailsWithoutDevice, ...counted } = await forward(CountAudience, asked);
    const without = new Set(emailsWithoutDevice);
    const usersWithoutDevice = (body.target.userEmails ?? []).filter((user) => without.has(hashes.email(user)));
    return { ...counted, usersWithoutDevice };
  },
});

export const getNotification = manageRoute('GET /api/manage/notifications/:notificationId', {
  summary: 'Get a notification with its results; also the reasons why devices did not get it',
  needs: { role: 'viewer', of: 'notification' },
  reply: FindNotification.reply,
  async handle({ params, setHeader }, { forward }) {
    const found = await forward(FindNotification, params);
    setHeader('ETag', etag(found.notification));
    return found;
  },
});

const reply = z.object({ notification: Notification });

async function changeOf({ actor, params: { notificationId } }: OfNotification, { lookups }: ConsoleParts) {
  const found = await lookups.notification(notificationId);
  const app = found && (await lookups.app(found.appId));
  if (!app) throw new ApiError('NOTIFICATION_NOT_FOUND');
  return { actor: actor(), teamId: app.teamId, notificationId };
}

type OfNotification = Pick<ManageCall<NeedsRole, unknown, unknown, { notificationId: string }>, 'actor' | 'params'>;

export const editPush = manageRoute('PATCH /api/manage/notifications/:notificationId', {
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
  async handle(call, parts) {
    const { target, scheduleAt, ttlSeconds } = call.body;
    const command = {
      ...(await changeOf(call, parts)),
      message: messageChangeOf(call.body),
      target: target && targetOf(target, parts.hashes),
      sendAt: scheduleAt === undefined ? undefined : readScheduleAt(scheduleAt, parts.now()),
      ttlSeconds,
    };
    const edit = (ifVersion: number | null) => parts.bus.ask(EditPush, { ...command, ifVersion });
    const { notification } = orRefuse(await askIfMatch(call.headers, edit));
    call.setHeader('ETag', etag(notification));
    return { notification };
  },
});

export const cancelPush = manageRoute('POST /api/manage/notifications/:notificationId/cancel', {
  summary: 'Cancel a scheduled notification',
  needs: { role: 'member', of: 'notification' },
  reply,
  errors: ['PUSH_BEGUN'],
  handle: async (call, parts) => parts.forward(CancelPush, await changeOf(call, parts)),
});

export const stopPush = manageRoute('POST /api/manage/notifications/:notificationId/stop', {
  summary:
    'Stop a notification that is being sent: devices to which it is not yet on its way do not get it. A scheduled one is cancelled',
  needs: { role: 'member', of: 'notification' },
  reply,
  errors: ['PUSH_SENT'],
  handle: async (call, parts) => parts.forward(StopPush, await changeOf(call, parts)),
});
