// Routes of devices, which explain why a person did not get a push. Emails become hashes, and tokens are never shown.

import {
  DeleteDevice,
  DeliveryState,
  FindDevice,
  ListDeliveries,
  ListDevices,
  Platform,
  text,
} from '@landfall/contracts';
import { userEmail } from '@landfall/gateway';
import { registrationsNamed } from '../devices/registrations.ts';
import { id, pageQuery } from '../routes/manage-fields.ts';
import { byOf, manageRoute } from '../routing/route.ts';

export const listDeliveries = manageRoute('GET /api/manage/notifications/:notificationId/deliveries', {
  summary:
    'List the outcomes of a notification on each device; with the reasons. For one person or device, it also lists devices that the notification was not for. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`',
  needs: { role: 'viewer', of: 'notification' },
  query: pageQuery.extend({
    state: DeliveryState.optional().describe(
      '`none`: the notification was not for the device. Only with a person or a device.',
    ),
    userEmail: userEmail().optional().describe('Only devices on which this user is or was signed in.'),
    deviceId: id().optional(),
  }),
  reply: ListDeliveries.reply,
  async handle({ params: { notificationId }, query }, { forward, hashes }) {
    const { userEmail, state = null, deviceId = null, ...page } = query;
    const email = userEmail === undefined ? null : hashes.email(userEmail);
    return forward(ListDeliveries, { notificationId, state, email, deviceId, ...page });
  },
});

export const listDevices = manageRoute('GET /api/manage/apps/:appId/devices', {
  summary:
    'List the devices on which a user is or was signed in; with the reason if pushes do not go there; or list all devices that get pushes',
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery.extend({
    userEmail: userEmail()
      .optional()
      .describe('Devices on which this user is or was signed in. If omitted: all devices that get pushes.'),
    search: text(2048)
      .regex(/\S/, 'must not be blank')
      .optional()
      .describe(
        'The email or id of a user, a fingerprint, a push token, or the id of a device, or its first 8 characters or more: all devices that it names, on one page.',
      ),
    platform: Platform.optional().describe('Only devices of this platform.'),
  }),
  reply: ListDevices.reply,
  async handle({ params, query: { userEmail, search, platform = null, ...page } }, parts) {
    const { forward, hashes } = parts;
    if (search !== undefined) {
      const named = await registrationsNamed(params.appId, search.trim(), page.limit, parts);
      const devices = named.filter((device) => platform === null || device.platform === platform);
      return { devices, next: null, total: devices.length };
    }
    const email = userEmail === undefined ? null : hashes.email(userEmail);
    return forward(ListDevices, { ...params, email, platform, ...page });
  },
});

export const getDevice = manageRoute('GET /api/manage/apps/:appId/devices/:deviceId', {
  summary:
    'Get a device with its history: registrations, and the pushes that went to it, with their outcomes. Latest first within a page. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`',
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery,
  reply: FindDevice.reply.omit({ user: true }),
  errors: ['DEVICE_NOT_FOUND'],
  async handle({ params, query }, { forward }) {
    const { user: _, ...found } = await forward(FindDevice, { ...params, ...query });
    return found;
  },
});

export const deleteDevice = manageRoute('DELETE /api/manage/apps/:appId/devices/:deviceId', {
  summary:
    'Delete a device: its token and everything about its users. It gets no pushes until the app registers it again. This cannot be undone',
  needs: { role: 'admin', of: 'app' },
  reply: DeleteDevice.reply,
  errors: ['DEVICE_NOT_FOUND'],
  handle: async (call, parts) => parts.forward(DeleteDevice, { ...(await byOf(call, parts)), ...call.params }),
});
