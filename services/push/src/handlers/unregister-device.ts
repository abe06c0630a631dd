import { type Handler, told } from '@landfall/bus';
import { PushUnregistered, type UnregisterDevice } from '@landfall/contracts';
import type { DeviceRepository } from '../repositories/device-repository.ts';

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
