import type { One } from '@landfall/bus';
import { cursorAfter, type ListDevices, readCursor } from '@landfall/contracts';
import { shownDevice } from '../domain/shown-device.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

export function listDevices({ deliveries }: PushRepository): One<typeof ListDevices> {
  return async ({ appId, email: person, limit, cursor }) => {
    const after = readCursor(cursor)?.id ?? null;
    const found = await (person === null
      ? deliveries.liveDevices(appId, after, limit)
      : deliveries.devicesOf(appId, person, after, limit));
    const devices = found.map((device) => shownDevice(device, person));
    const next = found.length === limit ? cursorAfter({ at: new Date(0), id: found.at(-1)!.id }) : null;
    return { reply: { devices, next } };
  };
}
