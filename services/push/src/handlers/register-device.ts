import { type Handler, told, uuid5 } from '@landfall/bus';
import { PushRegistered, type RegisterDevice } from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { latest } from '../domain/device.ts';
import type { DeviceRepository } from '../repositories/device-repository.ts';

/**
 * The answer needs no read from the database. The message identifies the device and holds everything that the event
 * reports.
 */
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

/**
 * Returns one id for each token of an app. A token that registers again after its device was deleted gets the same id.
 */
const deviceId = (appId: string, tokenHash: string): string => uuid5(appId, `device ${tokenHash}`);
