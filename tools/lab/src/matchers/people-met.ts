// The devices that the product knows, and who was where. Most of them never matter, so each device and each address is
// brought up to date only when somebody asks for it. The answers are the same as if every start had been handled at once.
import { CROWD_MINUTES, type Device, firstMet, heard, met } from '@landfall/attribution/matching';
import type { MatchingSettings } from '@landfall/contracts';
import { getOrMake } from '../get-or-make.ts';
import type { Start } from '../world/events.ts';
import type { Starts } from '../world/starts.ts';
import { DAY, MINUTE } from '../world/time.ts';
import { type Contacts, createContacts } from './contacts.ts';
import type { Level } from './levels.ts';
import { APP_ID, createHashes, hash, timeOf } from './names.ts';
import { deviceOf, toldBy } from './told.ts';

export interface PeopleOptions {
  readonly starts: Starts;
  readonly level: Level;
  readonly matching: MatchingSettings;
  addressHash(address: number): string;
  /** Called each time that a device is seen at an address. `before` is null when it was never seen. */
  seen?(device: string, before: Device | null, at: number, address: number): void;
}

/** Contacts are kept for this long by default. */
const KEEP_CONTACTS = 7 * DAY;

/** Starts of which those before `next` are handled. */
interface Handled {
  readonly starts: readonly Start[];
  next: number;
}

export function createPeopleMet({ starts, level, matching, addressHash, seen }: PeopleOptions) {
  const deviceHash = createHashes('device', hash);
  const contacts = createContacts(KEEP_CONTACTS);
  const devices = new Map<number, Handled & { device: Device | null }>();
  const addresses = new Map<number, Handled>();
  const startsOf = level.ownId ? starts.ofOwnId : starts.ofDevice;

  return {
    /** Returns the device as it is after its start at this place. */
    deviceAt({ place, install }: Pick<Start, 'place' | 'install'>): Device {
      const device = deviceOf(install, level);
      const known = getOrMake(devices, device, () => ({ device: null, next: 0, starts: startsOf(device) }));
      while (known.next < known.starts.length && known.starts[known.next]!.place <= place)
        known.device = after(known.device, known.starts[known.next++]!);
      return known.device!;
    },
    /** Returns how many of these devices and browsers are devices that were first met in the last ten minutes. */
    countNew: (all: readonly number[], at: number): number =>
      all.filter((who) => {
        // Browsers have numbers below zero.
        const first = who < 0 ? undefined : startsOf(who)[0];
        return first !== undefined && first.at > at - CROWD_MINUTES * MINUTE;
      }).length,
    /** Returns the contacts, up to date at this address for all starts before the place. */
    contactsAt(address: number, before: number): Contacts {
      const known = getOrMake(addresses, address, () => ({ next: 0, starts: starts.atAddress(address) }));
      while (known.next < known.starts.length && known.starts[known.next]!.place < before) {
        const { at, install, heartbeat } = known.starts[known.next++]!;
        contacts.record(address, deviceOf(install, level), at, heartbeat, toldBy(install, level));
      }
      return contacts;
    },
  };

  /** Returns the device after a start: a heartbeat if there is one, then a restore. */
  function after(before: Device | null, { place, at, install, v4, heartbeat, heartbeatOnly }: Start): Device {
    const now = timeOf(at);
    const name = before?.device ?? deviceHash(deviceOf(install, level));
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
