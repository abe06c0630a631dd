import { type Handler, told, uuid5 } from '@landfall/bus';
import { PushRegistered, type RegisterDevice } from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { latest } from '../domain/device.ts';
import type { DeviceRepository } from '../repositories/device-repository.ts';

/** Nothing has to be read to answer: what names the device, and what is told of it, is in the message. */
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
    return asked.map(({ id: deviceId, appId, platform, kind, email }) => ({
      reply: { deviceId },
      events: [told(PushRegistered, { deviceId, appId, platform, kind, signedIn: email !== null })],
    }));
  };
}

/** One for each token of an app, also when it comes again after it was forgotten. */
const deviceId = (appId: string, tokenHash: string): string => uuid5(appId, `device ${tokenHash}`);
