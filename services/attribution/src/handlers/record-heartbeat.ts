import { type Handler, told } from '@landfall/bus';
import { DeviceInstalled, type RecordHeartbeat } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { deviceKey, findFirstHeartbeats, lockDevices, recordContacts, saveDevices } from '../device-repository.ts';
import { heard } from '../domain/device.ts';
import { distinct } from '../messages.ts';

export function recordHeartbeat(database: Database): Handler<typeof RecordHeartbeat> {
  return async (batch) => {
    const heartbeats = distinct(batch).map(({ data: { fingerprint: device, ...data }, context }) => ({
      ...data,
      device,
      id: context.id,
      at: context.now,
    }));
    const first = await database.transaction(async (tx) => {
      const devices = await lockDevices(tx, heartbeats);
      for (const heartbeat of heartbeats) {
        const key = deviceKey(heartbeat);
        devices.set(key, heard(devices.get(key)!, heartbeat, heartbeat.matching));
      }
      await saveDevices(tx, [...devices.values()]);
      await recordContacts(
        tx,
        heartbeats.flatMap(({ appId, device, address, at }) =>
          address === null ? [] : [{ appId, address, device, firstAt: at, lastAt: at, lastHeartbeatAt: at }],
        ),
      );
      return findFirstHeartbeats(tx, heartbeats);
    });
    return batch.map(({ data: { appId, fingerprint: device }, context }) => {
      const isFirstLaunch = first.get(deviceKey({ appId, device })) === context.id;
      return { reply: { isFirstLaunch }, events: isFirstLaunch ? [told(DeviceInstalled, { appId, device })] : [] };
    });
  };
}
