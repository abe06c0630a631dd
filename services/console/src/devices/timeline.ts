// The timeline of one device, or of one person's devices: tap, install, restores, registration, pushes, openings.
import {
  DeviceEvent,
  FindDevice,
  FindInstall,
  hash,
  instant,
  ListDevices,
  ListRestores,
  type ReplyOf,
  type RestoreFilter,
} from '@landfall/contracts';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { Shown, shownRestores } from '../restores/list-restores.ts';
import { id } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

/** The latest rows of each source. */
const MOST_RESTORES = 50;
const MOST_PUSHES = 30;
/** Of a crowd at one address, some taps are enough. */
const MOST_CONSIDERED = 5;
/** Devices of the same person that are registered for push. */
const MOST_DEVICES = 3;

const device = z.union([id(), hash()]);
const entry = z.object({
  at: instant(),
  kind: z
    .enum(['tap', 'considered', 'installed', 'returned', 'started', 'restore', 'push'])
    .describe(
      '`tap`: a tap that a restore gave. `considered`: a tap that a restore without a link looked at, and did not give. `installed`: the first heartbeat. `returned`: the first start after a long absence. `started`: the last heartbeat. `restore`: the first start, or a later one with a candidate. `push`: an event of a device that is registered for push.',
    ),
  linkId: z.uuid().nullable().describe('The link of a `tap` and of a `considered` one.'),
  restoreId: z.uuid().nullable().describe('One of `restores`.'),
  deviceId: z.uuid().nullable().describe('The device that is registered for push.'),
  event: DeviceEvent.nullable().describe('The event of a `push`.'),
});
type Entry = z.output<typeof entry>;

const NOTHING = { linkId: null, restoreId: null, deviceId: null, event: null };

export const getTimeline = manageRoute('GET /api/manage/apps/:appId/devices/:deviceId/timeline', {
  summary:
    'Get what became of a device, newest first: the tap that led to it, install, restores, registration for push, pushes and openings. At most 50 restores, and 30 pushes of each device',
  needs: { role: 'viewer', of: 'app' },
  params: z.object({
    appId: id(),
    deviceId: device.describe(
      'The `device` of a restore, or the id of a device that is registered for push. They belong together when they name the same user.',
    ),
  }),
  reply: z.object({
    install: FindInstall.reply
      .omit({ users: true })
      .nullable()
      .describe('The device as attribution knows it. Null for a device that is registered for push.'),
    entries: z.array(entry),
    ...Shown,
  }),
  errors: ['DEVICE_NOT_FOUND'],
  async handle({ params: { appId, deviceId } }, parts) {
    const found = await (deviceId.length === HASH_LENGTH ? ofInstall : ofPush)(appId, deviceId, parts);
    const filter: RestoreFilter = {
      ...ANY,
      of: { devices: [], deviceStarts: [], users: [], linkIds: [], requestIds: [], ids: [], ...found.of },
    };
    const { restores } = await parts.forward(ListRestores, {
      ...{ appId, limit: MOST_RESTORES, cursor: null, near: true },
      filter,
    });
    const entries: Entry[] = [
      ...found.entries,
      ...restores.map(({ id, at }): Entry => ({ ...NOTHING, at, kind: 'restore', restoreId: id })),
      ...tapsOf(restores),
    ];
    const app = await parts.lookups.existingApp(appId);
    return {
      install: found.install,
      entries: entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
      ...(await shownRestores(app, restores, parts)),
    };
  },
});

const HASH_LENGTH = 43;
const ANY = { state: null, platform: null, keyId: null, linkId: null, from: null, before: null };

/** The taps that restores gave, and the newest ones that those without a link looked at. A tap is one entry. */
function tapsOf(restores: ReplyOf<typeof ListRestores>['restores']): Entry[] {
  const refused = restores
    .filter(({ matchType }) => matchType === null)
    .flatMap(({ considered }) => considered.slice(0, MOST_CONSIDERED));
  const taken = restores.flatMap(({ considered }) => considered.filter((tap) => tap.taken));
  const taps = new Map([...refused, ...taken].map((tap) => [tap.pendingLinkId, tap]));
  return [...taps.values()].map(({ tappedAt: at, linkId, taken }) => ({
    ...NOTHING,
    ...{ at, kind: taken ? 'tap' : 'considered', linkId },
  }));
}

/** A device of attribution, and the devices for push of the users whom it named. */
async function ofInstall(appId: string, device: string, parts: ConsoleParts) {
  const { users, ...install } = await parts.forward(FindInstall, { appId, device });
  const lists = await Promise.all(
    users.map((email) => parts.forward(ListDevices, { appId, email, limit: MOST_DEVICES, cursor: null })),
  );
  const ids = [...new Set(lists.flatMap(({ devices }) => devices.map(({ id }) => id)))].slice(0, MOST_DEVICES);
  const pushes = await Promise.all(ids.map((deviceId) => pushesOf(appId, deviceId, parts)));
  const { installedAt, returnedAt, lastHeartbeatAt } = install;
  const times = { installed: installedAt, returned: returnedAt, started: lastHeartbeatAt } as const;
  const starts = (Object.keys(times) as (keyof typeof times)[]).flatMap((kind): Entry[] => {
    const at = times[kind];
    // One start is one line.
    const isSaid = at === null || (kind === 'started' && at === installedAt);
    return isSaid ? [] : [{ ...NOTHING, at, kind }];
  });
  return { install, entries: [...starts, ...pushes.flatMap(({ entries }) => entries)], of: { devices: [device] } };
}

/** A device for push, and the restores that named its user. */
async function ofPush(appId: string, deviceId: string, parts: ConsoleParts) {
  const { user, entries } = await pushesOf(appId, deviceId, parts);
  return { install: null, entries, of: user === null ? {} : { users: [user] } };
}

async function pushesOf(appId: string, deviceId: string, { forward }: ConsoleParts) {
  const { events, user } = await forward(FindDevice, { appId, deviceId, limit: MOST_PUSHES, cursor: null });
  const entries = events.map((event): Entry => ({ ...NOTHING, at: event.at, kind: 'push', deviceId, event }));
  return { user, entries };
}
