import type { One } from '@landfall/bus';
import { cursorAfter, type FindDevice, readCursor } from '@landfall/contracts';
import { eventsOf, latestFirst, registrationsOf } from '../domain/history.ts';
import { shownDevice } from '../domain/shown-device.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function findDevice({ deliveries, history }: PushRepository): One<typeof FindDevice> {
  return async ({ appId, deviceId, limit, cursor }) => {
    const device = await deliveries.device(appId, deviceId);
    if (!device) return { refusal: { code: 'DEVICE_NOT_FOUND', facts: {} } };
    const { sent, to } = await history.sentTo(appId, deviceId, limit, readCursor(cursor));
    const registrations = cursor === null ? registrationsOf(device) : [];
    const events = latestFirst([...sent.flatMap(eventsOf), ...registrations]);
    return { reply: { device: shownDevice(device, null), events, next: to && cursorAfter(to) } };
  };
}
