// Who was seen at which address: what the product's table of contacts answers.
import { HOUR } from '../world/time.ts';

export interface Contact {
  firstAt: number;
  lastAt: number;
  /** -1 when no heartbeat came from there. */
  lastHeartbeatAt: number;
}

export interface Contacts {
  /** Records that somebody is at the address, and returns the contact as it is now. */
  record(address: number, who: number, at: number, isHeartbeat: boolean): Contact;
  /** Returns the number of others who were there in the 24 hours before. */
  countOthers(address: number, who: number, at: number): number;
}

/** The most people that the product counts at an address. */
const MOST_PEOPLE = 64;
const COUNTED = 24 * HOUR;

/** @param keep milliseconds after which a contact is forgotten */
export function createContacts(keep: number): Contacts {
  const places = new Map<number, Map<number, Contact>>();
  return {
    record(address, who, at, isHeartbeat) {
      let place = places.get(address);
      if (place === undefined) {
        place = new Map();
        places.set(address, place);
      }
      const known = place.get(who);
      if (known === undefined || known.lastAt < at - keep) {
        const contact = { firstAt: at, lastAt: at, lastHeartbeatAt: isHeartbeat ? at : -1 };
        place.set(who, contact);
        return contact;
      }
      known.lastAt = at;
      if (isHeartbeat) known.lastHeartbeatAt = at;
      return known;
    },
    countOthers(address, who, at) {
      let others = 0;
      for (const [other, { lastAt }] of places.get(address) ?? []) {
        if (other === who || lastAt <= at - COUNTED) continue;
        if (++others === MOST_PEOPLE) break;
      }
      return others;
    },
  };
}
