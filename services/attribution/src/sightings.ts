// A restore shows a device, at an address: it is met, and what is known of it then decides with.
import type { Sql, Transaction } from '@landfall/db';
import {
  contactKey,
  countOtherContacts,
  deviceKey,
  lockDevices,
  recordContacts,
  saveDevices,
} from './device-repository.ts';
import type { Ask, Sighting } from './domain/candidate.ts';
import { type Device, firstMet, isSame, met } from './domain/device.ts';

const nobody: Sighting = {
  device: null,
  firstHereAt: null,
  lastHeartbeatAt: null,
  others: 0,
  crowd: false,
  given: [],
  tokenSpent: false,
};

/** Without a fingerprint the email is the device. */
export const deviceOf = (ask: Ask): string | null => ask.fingerprint ?? ask.email;

/** Records that these devices asked, and returns what is known of each, by message. Being met makes no device less new. */
export async function meetDevices(tx: Transaction, asks: readonly Ask[]): Promise<Map<string, Sighting>> {
  const seen = asks.flatMap((ask) => {
    const device = deviceOf(ask);
    return device === null ? [] : [{ ask, appId: ask.appId, device, address: ask.address, at: ask.now }];
  });
  const [stored, contacts] = await Promise.all([
    lockDevices(
      tx,
      seen.map(({ appId, device, at }) => firstMet(appId, device, at)),
    ),
    recordContacts(
      tx,
      seen.flatMap(({ appId, device, address, at }) =>
        address === null ? [] : [{ appId, address, device, firstAt: at, lastAt: at, lastHeartbeatAt: null }],
      ),
    ),
  ]);
  const devices = new Map(stored);
  const metNow = new Map<string, Device>();
  for (const one of seen) {
    const device = met(devices.get(deviceKey(one))!, one.at, one.ask.matching.returningDeviceDays);
    devices.set(deviceKey(one), device);
    metNow.set(one.ask.id, device);
  }
  saveDevices(tx, changed(stored, devices));

  const sightingOf = (ask: Ask): Sighting => {
    const device = metNow.get(ask.id);
    if (device === undefined) return nobody;
    // Without an address a heartbeat from anywhere is of this start.
    if (ask.address === null) return { ...nobody, device, lastHeartbeatAt: device.lastHeartbeatAt };
    const contact = contacts.get(contactKey({ ...device, address: ask.address }))!;
    return { ...nobody, device, firstHereAt: contact.firstAt, lastHeartbeatAt: contact.lastHeartbeatAt };
  };
  return new Map(asks.map((ask) => [ask.id, sightingOf(ask)]));
}

/** What is to be stored of devices that were stored as `before`. */
export const changed = (before: ReadonlyMap<string, Device>, after: ReadonlyMap<string, Device>): Device[] =>
  [...after].filter(([key, device]) => !isSame(device, before.get(key)!)).map(([, device]) => device);

/** How many others were met at the address, by message. Only for devices with a fingerprint: nobody else is judged by it. */
export async function countOthers(tx: Sql, asks: readonly Ask[]): Promise<Map<string, number>> {
  const here = asks.flatMap(({ id, appId, fingerprint: device, address, now }) =>
    device === null || address === null ? [] : [{ id, appId, device, address, now }],
  );
  const others = await countOtherContacts(tx, here);
  return new Map(here.map(({ id }, i) => [id, others[i]!]));
}
