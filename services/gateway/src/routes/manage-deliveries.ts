// Explains why a user did not get a push. Emails become hashes here, and tokens are never shown.
import { DeliveryState, ListDeliveries, ListDevices } from '@landfall/contracts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { userEmail } from './fields.ts';
import { appParams, id, pageQuery } from './manage-fields.ts';
import { notificationParams } from './manage-notifications.ts';

export const listDeliveries = manageRoute({
  method: 'GET',
  path: '/api/manage/notifications/:notificationId/deliveries',
  name: 'listDeliveries',
  summary:
    'See what became of a notification on each device, and why. Of a person or a device also where it was not for them. A page may be shorter than `limit`, even empty, before the end: read on while there is a `next`',
  needs: { role: 'viewer', of: 'notification' },
  params: notificationParams,
  query: pageQuery.extend({
    state: DeliveryState.optional().describe(
      '`none`: the notification was not for it; with a person or a device only.',
    ),
    userEmail: userEmail().optional().describe('Devices on which they are or were signed in.'),
    deviceId: id().optional(),
  }),
  reply: ListDeliveries.reply,
  errors: [],
  async handle({ params: { notificationId }, query }, { bus, hashes }) {
    const { limit, cursor = null, state = null, deviceId = null } = query;
    const email = query.userEmail === undefined ? null : hashes.email(query.userEmail);
    return orRefuse(await bus.ask(ListDeliveries, { notificationId, state, email, deviceId, limit, cursor }));
  },
});

export const listDevices = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/devices',
  name: 'listDevices',
  summary:
    'List the devices on which a person is or was signed in, whether pushes go there, and why not; or all that pushes go to',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery.extend({
    userEmail: userEmail()
      .optional()
      .describe('Devices on which they are or were signed in. Without it: all that pushes go to.'),
  }),
  reply: ListDevices.reply,
  errors: [],
  async handle({ params: { appId }, query: { limit, cursor = null, userEmail } }, { bus, hashes }) {
    const email = userEmail === undefined ? null : hashes.email(userEmail);
    return orRefuse(await bus.ask(ListDevices, { appId, email, limit, cursor }));
  },
});
