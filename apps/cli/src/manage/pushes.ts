// Pushes of an app: commands that list, explain, cancel and stop them.
import { FindNotification, Notification, PersonsDevice, PushDelivery } from '@landfall/contracts';
import { z } from 'zod';
import { visible } from '../letters/visible.ts';
import { facts, table } from '../table.ts';
import { type Api, findApp } from './api.ts';
import { type Action, type Given, needed, ofApp, resource, type Shown } from './resource.ts';

const NotificationView = Notification.loose();
const { reasons } = FindNotification.reply.shape;
const reply = z.object({ notification: NotificationView, reasons: reasons.optional() });
const DeviceView = PersonsDevice.loose();
const DeliveryView = PushDelivery.loose();

const ofUser = needed('--user <email or id>', 'the user, as the app registered them');

const pathOf = ({ places }: Given): string => `/notifications/${encodeURIComponent(places[0]!)}`;

const queried = (path: string, parameters: Record<string, string>): string =>
  `${path}?${new URLSearchParams(parameters)}`;

function shown(answer: z.output<typeof reply>): Shown {
  const { id, message, status, createdAt, sendAt, expiresAt, cancelledAt, stoppedAt, targeted, counts, version } =
    answer.notification;
  const lines = facts({
    id,
    title: message.title,
    status,
    made: createdAt,
    'sent at': sendAt,
    expires: expiresAt,
    'cancelled at': cancelledAt,
    'stopped at': stoppedAt,
    devices: targeted,
    ...counts,
    version,
  });
  const why = (answer.reasons ?? []).map(({ reason, count }) => `${count} did not get it: ${visible(reason)}`);
  return { json: answer, lines: [...lines, ...why] };
}

const changing = (change: 'cancel' | 'stop') => async (given: Given, api: Api) =>
  shown(await api.ask(reply, 'POST', `${pathOf(given)}/${change}`));

const actions: readonly Action[] = [
  {
    name: 'list',
    description: 'Lists pushes, latest first.',
    options: [ofApp],
    async run({ text }, api) {
      const { id } = await findApp(api, text.app!);
      const notifications = await api.all(NotificationView, 'notifications', `/apps/${id}/notifications`);
      const lines = table(notifications, {
        ID: (one) => one.id,
        TITLE: ({ message }) => message.title,
        STATUS: ({ status }) => status,
        'SENT AT': ({ sendAt }) => sendAt,
        DEVICES: ({ targeted }) => targeted,
        SENT: ({ counts }) => counts.sent,
        FAILED: ({ counts }) => counts.failed,
        OPENED: ({ counts }) => counts.opened,
      });
      return { json: { notifications }, lines };
    },
  },
  {
    name: 'show',
    places: ['<push id>'],
    description: 'Shows a push, and its outcomes.',
    run: async (given, api) => shown(await api.ask(reply, 'GET', pathOf(given))),
  },
  {
    name: 'cancel',
    places: ['<push id>'],
    description: 'Cancels a scheduled push.',
    run: changing('cancel'),
  },
  {
    name: 'stop',
    places: ['<push id>'],
    description: 'Stops a push that is being sent. The remaining devices do not get it.',
    run: changing('stop'),
  },
  {
    name: 'why',
    places: ['<push id>'],
    description: 'Explains the outcome on each device of a user.',
    options: [ofUser],
    async run(given, api) {
      const path = queried(`${pathOf(given)}/deliveries`, { userEmail: given.text.user!, limit: '100' });
      const page = z.object({ deliveries: z.array(DeliveryView), explanation: z.string().nullable() });
      const answer = await api.ask(page, 'GET', path);
      const lines = answer.deliveries.map((one) => `${one.deviceId}  ${one.state}  ${visible(one.explanation)}`);
      return { json: answer, lines: answer.explanation === null ? lines : [...lines, visible(answer.explanation)] };
    },
  },
  {
    name: 'devices',
    description: 'Lists the devices of a user, and explains whether pushes reach them.',
    options: [ofApp, ofUser],
    async run({ text }, api) {
      const { id } = await findApp(api, text.app!);
      const devices = await api.all(DeviceView, 'devices', queried(`/apps/${id}/devices`, { userEmail: text.user! }));
      const lines = table(devices, {
        ID: (one) => one.id,
        PLATFORM: ({ platform }) => platform,
        STATE: ({ state }) => state,
        'LAST SEEN': ({ lastSeen }) => lastSeen,
        WHY: ({ explanation }) => explanation,
      });
      return { json: { devices }, lines };
    },
  },
];

export const addPushes = resource('pushes', 'List, explain, cancel and stop the pushes of an app.', actions);
