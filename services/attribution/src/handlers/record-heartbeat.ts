import { distinct, type Handler, told } from '@landfall/bus';
import { DeviceInstalled, type RecordHeartbeat } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { deviceKey, lockDevices, saveDevices, sendContacts } from '../device-repository.ts';
import { firstMet, heard } from '../domain/device.ts';
import { changed } from '../sightings.ts';

export function recordHeartbeat(database: Database): Handler<typeof RecordHeartbeat> {
  return async (batch) => {
    const heartbeats = distinct(batch).map(({ data: { fingerprint: device, ...data }, context }) => ({
      ...data,
      device,
      id: context.id,
      at: context.now,
    }));
    const devices = await database.transaction(async (tx) => {
      const locking = lockDevices(
        tx,
        heartbeats.map((beat) => heard(firstMet(beat.appId, beat.device, beat.at), beat, beat.matching)),
      );
      sendContacts(
        tx,
        heartbeats.flatMap(({ appId, device, address, at }) =>
          address === null ? [] : [{ appId, address, device, firstAt: at, lastAt: at, lastHeartbeatAt: at }],
        ),
      );
      const stored = await locking;
      const devices = new Map(stored);
      for (const heartbeat of heartbeats) {
        const key = deviceKey(heartbeat);
        devices.set(key, heard(devices.get(key)!, heartbeat, heartbeat.matching));
      }
      saveDevices(tx, changed(stored, devices));
      return devices;
    });
    // The device names its first heartbeat, whenever that is delivered.
    return batch.map(({ data: { appId, fingerprint: device }, context }) => {
      const isFirstLaunch = devices.get(deviceKey({ appId, device }))?.firstHeartbeatId === context.id;
      return { reply: { isFirstLaunch }, events: isFirstLaunch ? [told(DeviceInstalled, { appId, device })] : [] };
    });
  };
}
