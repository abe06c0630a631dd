// Somebody may make up devices, to make an app look as if an update reached its older users. So an address counts few
// devices in an hour that were never seen before, and its /48 some more. Each process remembers this for itself: what
// it forgets lets a few more count.
import { LRUCache } from 'lru-cache';
import { hours } from './domain/time.ts';
import type { DeviceKey } from './repositories/device-repository.ts';

/** A device that is seen for the first time on its day. */
export interface Sighted extends DeviceKey {
  readonly address: string | null;
  /** The /48 of an IPv6 address. */
  readonly site: string | null;
  readonly at: Date;
  /** True when the device was never seen before. */
  readonly isFirst: boolean;
}

/** The most devices of an address that count in an hour when they were never seen before, and of its /48. */
const MOST_NEW = 2;
const MOST_NEW_OF_SITE = 10;
/** Addresses that are remembered, those with the latest devices. Each takes about 300 bytes. */
const MOST_ADDRESSES = 20_000;

export type NewDevices = ReturnType<typeof createNewDevices>;

export function createNewDevices() {
  const counted = new LRUCache<string, { hour: number; devices: number }>({ max: MOST_ADDRESSES });

  /** Counts a new device at an address in this hour. Returns false when there were `most` before it. */
  function isAmong(most: number, appId: string, address: string | null, at: Date): boolean {
    if (address === null) return true;
    const hour = Math.floor(at.getTime() / hours(1));
    const key = `${appId} ${address}`;
    const known = counted.get(key);
    const devices = known?.hour === hour ? known.devices : 0;
    if (devices < most) counted.set(key, { hour, devices: devices + 1 });
    return devices < most;
  }

  return {
    /** Returns the devices that count. */
    thatCount: (sighted: readonly Sighted[]): Sighted[] =>
      sighted.filter(
        ({ isFirst, appId, address, site, at }) =>
          !isFirst || (isAmong(MOST_NEW, appId, address, at) && isAmong(MOST_NEW_OF_SITE, appId, site, at)),
      ),
  };
}
