import type { SqlTransaction } from '@landfall/db';
import type { Ask, Others, Sighting } from './domain/candidate.ts';
import { asked, type Device, firstMet, isFirstOfDay, isFirstRestore, met } from './domain/device.ts';
import type { Sighted } from './new-devices.ts';
import { contactKey, contactRepository, contactsOf, seenOnce } from './repositories/contact-repository.ts';
import { type DeviceKey, deviceKey, deviceRepository, type Locked } from './repositories/device-repository.ts';

export const NOBODY: Others = { others: 0, newcomers: 0, newDevices: 0 };

const nobody: Sighting = {
  device: null,
  firstHereAt: null,
  lastHeartbeatAt: null,
  ...NOBODY,
  rollout: null,
  crowd: false,
  given: [],
  tokenSpent: false,
};

/** Without a fingerprint, the email identifies the device. */
export const deviceOf = (ask: Ask): string | null => ask.fingerprint ?? ask.email;

/**
 * Records that these devices sent a restore. A sighting does not make a device less new.
 * @returns the facts about each device, by message, the devices that were seen for the first time on their day, and the
 * messages that are the first restore of an install
 */
export async function meetDevices(
  tx: SqlTransaction,
  asks: readonly Ask[],
): Promise<{ sightings: Map<string, Sighting>; sighted: Sighted[]; first: Set<string> }> {
  const seen = asks.flatMap((ask) => {
    const device = deviceOf(ask);
    return device === null
      ? []
      : [{ ask, appId: ask.appId, device, address: ask.address, site: ask.site, at: ask.now }];
  });
  const repository = deviceRepository(tx);
  const [locked, contacts] = await Promise.all([
    repository.lock(seen.map((one) => asked(unseen(one), { id: one.ask.id, at: one.at }))),
    contactRepository(tx).record(
      seen.flatMap(({ ask: { platform, model, ipv6 }, at, ...one }) =>
        contactsOf({ ...one, platform, model, ipv6 }, seenOnce(at)),
      ),
    ),
  ]);
  const devices = new Map(locked.stored);
  // A device that was never seen is stored together with its first restore, and decided without it.
  for (const one of seen.toReversed()) if (locked.fresh.has(deviceKey(one))) devices.set(deviceKey(one), unseen(one));
  const metNow = new Map<string, Device>();
  const first = new Set<string>();
  for (const one of seen) {
    const { ask, at } = one;
    const here = met(devices.get(deviceKey(one))!, at, ask.matching.returningDeviceDays);
    if (isFirstRestore(here, ask)) first.add(ask.id);
    const device = asked(here, { id: ask.id, at });
    devices.set(deviceKey(one), device);
    metNow.set(ask.id, device);
  }
  repository.save(changed(locked.stored, devices));

  const sightingOf = (ask: Ask): Sighting => {
    const device = metNow.get(ask.id);
    if (device === undefined) return nobody;
    // Without an address, a heartbeat from any address counts for this start.
    if (ask.address === null) return { ...nobody, device, lastHeartbeatAt: device.lastHeartbeatAt };
    const contact = contacts.get(contactKey({ ...device, address: ask.address }))!;
    return { ...nobody, device, firstHereAt: contact.firstAt, lastHeartbeatAt: contact.lastHeartbeatAt };
  };
  const sightings = new Map(asks.map((ask) => [ask.id, sightingOf(ask)]));
  return { sightings, sighted: sightedToday(seen, locked), first };
}

const unseen = ({ appId, device, at }: DeviceKey & { at: Date }): Device => firstMet(appId, device, at);

/** Returns the devices that are seen for the first time on their day, each once. */
export function sightedToday(met: readonly Omit<Sighted, 'isFirst'>[], { stored, fresh }: Locked): Sighted[] {
  const devices = new Map(met.map((one) => [deviceKey(one), one]));
  return [...devices].flatMap(([key, { appId, device, address, site, at }]) => {
    const isFirst = fresh.has(key);
    const isCounted = isFirstOfDay(device, isFirst ? null : stored.get(key)!.lastSeen, at);
    return isCounted ? [{ appId, device, address, site, at, isFirst }] : [];
  });
}

export const changed = (before: ReadonlyMap<string, Device>, after: ReadonlyMap<string, Device>): Device[] =>
  [...after].filter(([key, device]) => !isSame(device, before.get(key)!)).map(([, device]) => device);

/** Compares the times as numbers. `isDeepStrictEqual` takes several times as long. */
const isSame = (a: Device, b: Device): boolean =>
  (Object.keys(a) as (keyof Device)[]).every((field) => a[field]?.valueOf() === b[field]?.valueOf());

/** Counts the others that were seen at the address, for each message. */
export async function countOthers(tx: SqlTransaction, asks: readonly Ask[]): Promise<Map<string, Others>> {
  const here = asks.flatMap((ask) => {
    const { id, appId, address, now } = ask;
    const device = deviceOf(ask);
    return device === null || address === null ? [] : [{ id, appId, device, address, now }];
  });
  const others = await contactRepository(tx).countOthers(here);
  return new Map(here.map(({ id }, i) => [id, others[i]!]));
}
