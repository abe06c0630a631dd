import type { Notification } from '@landfall/api-client';
import { facts, table, visible } from '../table.ts';
import { type Api, allOf, got } from './api.ts';
import { type Action, appOf, type Given, needed, ofApp, resource, type Shown } from './resource.ts';

const NOTIFICATION = '/api/manage/notifications/{notificationId}';
const DEVICES = '/api/manage/apps/{appId}/devices';

const ofUser = needed('--user <email or id>', 'the user, as the app registered them');

const ofPush = ({ places }: Given) => ({ path: { notificationId: places[0]! } });
const ofDevice = async (api: Api, given: Given) => ({ ...(await appOf(api, given)), deviceId: given.places[0]! });

interface Answer {
  notification: Notification;
  reasons?: { reason: string; count: number }[];
}

function shown(answer: Answer): Shown {
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
  shown(await got(api.POST(`${NOTIFICATION}/${change}`, { params: ofPush(given) })));

const actions: readonly Action[] = [
  {
    name: 'list',
    description: 'Lists pushes, latest first.',
    options: [ofApp],
    async run(given, api) {
      const path = await appOf(api, given);
      const notifications = await allOf(
        (query) => api.GET('/api/manage/apps/{appId}/notifications', { params: { path, query } }),
        (page) => page.notifications,
      );
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
    run: async (given, api) => shown(await got(api.GET(NOTIFICATION, { params: ofPush(given) }))),
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
      const query = { userEmail: given.text.user!, limit: 100 };
      const answer = await got(api.GET(`${NOTIFICATION}/deliveries`, { params: { ...ofPush(given), query } }));
      const lines = answer.deliveries.map((one) => `${one.deviceId}  ${one.state}  ${visible(one.explanation)}`);
      return { json: answer, lines: answer.explanation === null ? lines : [...lines, visible(answer.explanation)] };
    },
  },
  {
    name: 'devices',
    description: 'Lists the devices of a user, and explains whether pushes reach them.',
    options: [ofApp, ofUser],
    async run(given, api) {
      const path = await appOf(api, given);
      const userEmail = given.text.user!;
      const devices = await allOf(
        (page) => api.GET(DEVICES, { params: { path, query: { userEmail, ...page } } }),
        (page) => page.devices,
      );
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
  {
    name: 'device',
    places: ['<device id>'],
    description: 'Shows the history of a device: registrations, and the pushes that went to it. Latest first.',
    options: [ofApp],
    async run(given, api) {
      const path = await ofDevice(api, given);
      const params = { path, query: { limit: 100 } };
      const answer = await got(api.GET(`${DEVICES}/{deviceId}`, { params }));
      const { device, events, next } = answer;
      const lines = table(events, {
        TIME: ({ at }) => at,
        EVENT: ({ kind }) => kind,
        PUSH: ({ notificationId }) => notificationId,
        WHAT: ({ explanation }) => visible(explanation),
      });
      const more = next === null ? [] : ['There is more: the web app shows all of it.'];
      return { json: answer, lines: [device.explanation, '', ...lines, ...more] };
    },
  },
  {
    name: 'delete-device',
    places: ['<device id>'],
    description: 'Deletes the token of a device and everything about its users. This cannot be undone.',
    options: [ofApp],
    async run(given, api) {
      const answer = await got(api.DELETE(`${DEVICES}/{deviceId}`, { params: { path: await ofDevice(api, given) } }));
      return {
        json: answer,
        lines: [`${given.places[0]} is deleted. It gets pushes again when the app registers it again.`],
      };
    },
  },
];

export const addPushes = resource(
  'pushes',
  'List, explain, cancel and stop the pushes of an app, and see and delete its devices.',
  actions,
);
