import { type Handler, type One, told, uuid5 } from '@landfall/bus';
import {
  cursorAfter,
  type DeleteDevice,
  type FindDevice,
  type ListDevices,
  PushRegistered,
  PushUnregistered,
  type RegisterDevice,
  readCursor,
  type UnregisterDevice,
} from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { shownDevice } from '../domain/explain.ts';
import { eventsOf, latestFirst, registrationsOf } from '../domain/history.ts';
import type { DeviceRepository } from '../repositories/device-repository.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

/** The answer needs no read: the message names the device and holds everything that the event reports. */
export function registerDevice(devices: DeviceRepository, sealer: Sealer): Handler<typeof RegisterDevice> {
  return async (batch) => {
    const asked = batch.map(({ data, context }) => ({
      ...data,
      id: deviceId(data.appId, data.tokenHash),
      messageId: context.id,
      at: context.now,
    }));
    await devices.register(
      latest(asked).map((device) => ({ ...device, token: sealer.open('device token', device.token) })),
    );
    return asked.map(({ id: deviceId, appId, platform, kind, email, country, appVersion }) => ({
      reply: { deviceId },
      events: [
        told(PushRegistered, { deviceId, appId, platform, kind, signedIn: email !== null, country, appVersion }),
      ],
    }));
  };
}

/** Returns one id for each token of an app, also when it registers again after its device was deleted. */
const deviceId = (appId: string, tokenHash: string): string => uuid5(appId, `device ${tokenHash}`);

/** Returns the latest registration of each device, the same for any order of the input. */
function latest<R extends { id: string; messageId: string; at: Date }>(registrations: readonly R[]): R[] {
  const isLater = (a: R, b: R) => (+a.at === +b.at ? a.messageId > b.messageId : a.at > b.at);
  const kept = new Map<string, R>();
  for (const one of registrations) {
    const other = kept.get(one.id);
    if (!other || isLater(one, other)) kept.set(one.id, one);
  }
  return [...kept.values()];
}

/** The row names the message that removed the device, so that a redelivered message finds the same device. */
export function unregisterDevice(devices: DeviceRepository): Handler<typeof UnregisterDevice> {
  return async (batch) => {
    const asked = batch.map(({ data, context }) => ({ ...data, messageId: context.id, at: context.now }));
    const gone = await devices.unregister(asked);
    return asked.map(({ messageId, appId }) => {
      const device = gone.get(messageId);
      if (!device) return { reply: { deviceId: null } };
      const { deviceId, platform, kind } = device;
      return { reply: { deviceId }, events: [told(PushUnregistered, { deviceId, appId, platform, kind, by: 'app' })] };
    });
  };
}

export function listDevices({ deliveries, providers }: PushRepository): One<typeof ListDevices> {
  return async ({ appId, email: person, tokenHash, idStart, platform, limit, cursor }) => {
    const has = await providers.list(appId);
    if (tokenHash !== null || idStart !== null) {
      const named =
        tokenHash === null
          ? await deliveries.devicesWithId(appId, idStart!, limit)
          : [await deliveries.deviceOfToken(appId, tokenHash)].filter((device) => device !== null);
      const found = named.map((device) => shownDevice(device, person, has));
      return { reply: { devices: found, next: null, total: found.length } };
    }
    const after = readCursor(cursor)?.id ?? null;
    const found = await (person === null
      ? deliveries.liveDevices(appId, platform, after, limit)
      : deliveries.devicesOf(appId, person, platform, after, limit));
    const devices = found.map((device) => shownDevice(device, person, has));
    const next = found.length === limit ? cursorAfter({ at: new Date(0), id: found.at(-1)!.id }) : null;
    return { reply: { devices, next, total: after === null ? await totalOf() : null } };

    async function totalOf(): Promise<number | null> {
      if (next === null) return devices.length;
      return person === null ? deliveries.countLive(appId, platform) : null;
    }
  };
}

export function findDevice({ deliveries, providers }: PushRepository): One<typeof FindDevice> {
  return async ({ appId, deviceId, limit, cursor }) => {
    const device = await deliveries.device(appId, deviceId);
    if (!device) return { refusal: { code: 'DEVICE_NOT_FOUND', facts: {} } };
    const { sent, to } = await deliveries.sentTo(appId, deviceId, limit, readCursor(cursor));
    const registrations = cursor === null ? registrationsOf(device) : [];
    const events = latestFirst([...sent.flatMap(eventsOf), ...registrations]);
    const shown = shownDevice(device, null, await providers.list(appId));
    return { reply: { device: shown, events, next: to && cursorAfter(to), user: device.email } };
  };
}

export function deleteDevice({ changes, devices }: PushRepository): One<typeof DeleteDevice> {
  return async ({ actor, teamId, appId, deviceId }, context) => {
    const change = await changes.change({ action: 'DeleteDevice', actor, teamId, context }, async (tx) => {
      const had = await devices.remove(tx, { appId, deviceId, messageId: context.id, at: context.now });
      if (!had) return { refusal: { code: 'DEVICE_NOT_FOUND', facts: {} } };
      return { appId, subject: deviceId, before: had, done: { platform: had.platform, kind: had.kind } };
    });
    if ('refusal' in change) return change;
    const { platform, kind } = change.done;
    return { reply: {}, events: [told(PushUnregistered, { deviceId, appId, platform, kind, by: 'person' })] };
  };
}
