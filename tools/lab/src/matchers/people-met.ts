// The devices that the product knows, and who was where. Most of them never matter, so each device and each address is
// brought up to date only when somebody asks for it. The answers are the same as if every start had been handled at once.
import { CROWD_MINUTES, type Device, firstMet, heard, met } from '@landfall/attribution/matching';
import type { MatchingSettings } from '@landfall/contracts';
import type { Start } from '../world/events.ts';
import type { StartTable } from '../world/start-table.ts';
import { DAY, MINUTE } from '../world/time.ts';
import { type Contacts, createContacts } from './contacts.ts';
import type { Level } from './levels.ts';
import { APP_ID, createHashes, hash, timeOf } from './names.ts';
import { toldBy } from './told.ts';

export interface PeopleMet {
  /** Returns the device as it is after its start at this place. */
  deviceAt(start: Pick<Start, 'place' | 'install'>): Device;
  /** Returns how many of these devices and browsers are devices that were first met in the last ten minutes. */
  countNew(all: readonly number[], at: number): number;
  /** Returns the contacts, up to date at this address for all starts before the place. */
  contactsAt(address: number, before: number): Contacts;
}

export interface PeopleOptions {
  readonly starts: StartTable;
  readonly level: Level;
  readonly matching: MatchingSettings;
  addressHash(address: number): string;
  /** Called each time that a device is seen at an address. `before` is null when it was never seen. */
  seen?(device: string, before: Device | null, at: number, address: number): void;
}

/** Contacts are kept for this long by default. */
const KEEP_CONTACTS = 7 * DAY;

export function createPeopleMet({ starts, level, matching, addressHash, seen }: PeopleOptions): PeopleMet {
  const deviceHash = createHashes('device', hash);
  const contacts = createContacts(KEEP_CONTACTS);
  const read = starts.reader();
  const devices = new Map<number, { device: Device | null; next: number; places: Int32Array }>();
  const addresses = new Map<number, { next: number; places: Int32Array }>();

  return {
    deviceAt({ place, install: { device } }) {
      let known = devices.get(device);
      if (known === undefined) {
        known = { device: null, next: 0, places: starts.ofDevice(device) };
        devices.set(device, known);
      }
      const { places } = known;
      for (; known.next < places.length && places[known.next]! <= place; known.next++) {
        known.device = after(known.device, read(places[known.next]!));
      }
      return known.device!;
    },
    countNew: (all, at) =>
      all.filter((who) => {
        // Browsers have numbers below zero.
        const first = who < 0 ? undefined : starts.ofDevice(who)[0];
        return first !== undefined && starts.at(first) > at - CROWD_MINUTES * MINUTE;
      }).length,
    contactsAt(address, before) {
      let known = addresses.get(address);
      if (known === undefined) {
        known = { next: 0, places: starts.atAddress(address) ?? NOBODY };
        addresses.set(address, known);
      }
      const { places } = known;
      for (; known.next < places.length && places[known.next]! < before; known.next++) {
        const { at, install, heartbeat } = read(places[known.next]!);
        contacts.record(address, install.device, at, heartbeat, toldBy(install, level));
      }
      return contacts;
    },
  };

  /** Returns the device after a start: a heartbeat if there is one, then a restore. */
  function after(before: Device | null, { place, at, install, v4, heartbeat, heartbeatOnly }: Start): Device {
    const now = timeOf(at);
    const name = before?.device ?? deviceHash(install.device);
    let device = before ?? firstMet(APP_ID, name, now);
    if (heartbeat) {
      // Users outside of the slice are far away: each heartbeat of theirs comes from somewhere else.
      const from = heartbeatOnly ? null : addressHash(v4);
      const { platform } = toldBy(install, level);
      seen?.(name, before, at, v4);
      device = heard(device, { id: `${place}`, at: now, from, platform }, matching);
      if (heartbeatOnly) return device;
    }
    seen?.(name, heartbeat ? device : before, at, v4);
    return met(device, now, matching.returningDeviceDays);
  }
}

const NOBODY = new Int32Array();
