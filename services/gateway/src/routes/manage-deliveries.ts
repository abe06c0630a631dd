// Routes that explain why a person did not get a push. Emails become hashes here, and tokens are never shown.
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
    'List the outcomes of a notification on each device, and the reasons. For one person or device, it also lists devices that the notification was not for. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`',
  needs: { role: 'viewer', of: 'notification' },
  params: notificationParams,
  query: pageQuery.extend({
    state: DeliveryState.optional().describe(
      '`none`: the notification was not for the device. Only with a person or a device.',
    ),
    userEmail: userEmail().optional().describe('Only devices on which this user is or was signed in.'),
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
    'List the devices on which a user is or was signed in, with the reason if pushes do not go there; or list all devices that get pushes',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery.extend({
    userEmail: userEmail()
      .optional()
      .describe('Devices on which this user is or was signed in. If omitted: all devices that get pushes.'),
  }),
  reply: ListDevices.reply,
  errors: [],
  async handle({ params: { appId }, query: { limit, cursor = null, userEmail } }, { bus, hashes }) {
    const email = userEmail === undefined ? null : hashes.email(userEmail);
    return orRefuse(await bus.ask(ListDevices, { appId, email, limit, cursor }));
  },
});
