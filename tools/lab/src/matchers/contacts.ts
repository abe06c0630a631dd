// Keeps the sightings at each address, as the product's table of contacts does.
import { CROWD_MINUTES } from '@landfall/attribution/matching';
import type { Platform } from '../world/phones.ts';
import { DAY, HOUR, MINUTE } from '../world/time.ts';
import type { PhoneFacts } from './told.ts';

export interface Contact {
  firstAt: number;
  lastAt: number;
  /** `NEVER` when no heartbeat came from there. */
  lastHeartbeatAt: number;
  platform: Platform | null;
  model: number | null;
}

/** A time before all others. */
export const NEVER = Number.NEGATIVE_INFINITY;

/** The others who were at an address in the 24 hours before. */
export interface Others {
  readonly others: number;
  /** Without those on another platform. Null when there are too many to compare. */
  readonly othersOfPlatform: number | null;
  /** Without those on another platform or model. */
  readonly othersAlike: number | null;
}

export interface Contacts {
  /** Records that somebody is at the address, and returns the contact as it is now. */
  record(address: number, who: number, at: number, isHeartbeat: boolean, phone: Phone): Contact;
  /** Returns the contact as it was recorded last. */
  find(address: number, who: number): Contact | undefined;
  countOthers(address: number, who: number, at: number): number;
  /** Counts the others who came there for the first time in the last seven days. */
  countNewcomers(address: number, who: number, at: number): number;
  /** Returns the others who came there for the first time in the last ten minutes. */
  cameJustNow(address: number, who: number, at: number): number[];
  /** Counts the others, and compares their phones with this one. */
  compareOthers(address: number, who: number, at: number, phone: Phone): Others;
}

type Phone = Pick<PhoneFacts, 'platform' | 'model'>;

/** The most people that the product counts at an address, and the most whose phones it compares. */
const MOST_PEOPLE = 64;
const MOST_COMPARED = 512;
const COUNTED = 24 * HOUR;
const NEWCOMER = 7 * DAY;
const JUST_NOW = CROWD_MINUTES * MINUTE;
/** The model of somebody who was seen with several models. It contradicts nothing. */
const SEVERAL = -1;

/** @param keep milliseconds after which a contact is forgotten */
export function createContacts(keep: number): Contacts {
  const places = new Map<number, Map<number, Contact>>();
  return {
    record(address, who, at, isHeartbeat, { platform, model }) {
      let place = places.get(address);
      if (place === undefined) {
        place = new Map();
        places.set(address, place);
      }
      const known = place.get(who);
      if (known === undefined || known.lastAt < at - keep) {
        const contact = { firstAt: at, lastAt: at, lastHeartbeatAt: isHeartbeat ? at : NEVER, platform, model };
        place.set(who, contact);
        return contact;
      }
      known.lastAt = at;
      if (isHeartbeat) known.lastHeartbeatAt = at;
      if (platform !== null) known.platform = platform;
      if (model !== null && model !== known.model) known.model = known.model === null ? model : SEVERAL;
      return known;
    },

    find: (address, who) => places.get(address)?.get(who),

    countOthers(address, who, at) {
      let others = 0;
      for (const [other, { lastAt }] of places.get(address) ?? []) {
        if (other === who || lastAt <= at - COUNTED) continue;
        if (++others === MOST_PEOPLE) break;
      }
      return others;
    },

    countNewcomers(address, who, at) {
      const here = [...(places.get(address) ?? [])].filter(
        ([other, { lastAt }]) => other !== who && lastAt > at - NEWCOMER,
      );
      const last = here.sort(([, a], [, b]) => b.lastAt - a.lastAt).slice(0, MOST_COMPARED);
      return Math.min(MOST_PEOPLE, last.filter(([, { firstAt }]) => firstAt > at - NEWCOMER).length);
    },

    cameJustNow: (address, who, at) =>
      [...(places.get(address) ?? [])]
        .filter(([other, { firstAt }]) => other !== who && firstAt > at - JUST_NOW)
        .map(([other]) => other),

    compareOthers(address, who, at, { platform, model }) {
      let others = 0;
      let ofPlatform = 0;
      let alike = 0;
      for (const [other, contact] of places.get(address) ?? []) {
        if (other === who || contact.lastAt <= at - COUNTED) continue;
        if (++others === MOST_COMPARED) break;
        if (contact.platform !== null && platform !== null && contact.platform !== platform) continue;
        ofPlatform++;
        const differs =
          model !== null && contact.model !== null && contact.model !== SEVERAL && contact.model !== model;
        if (!differs) alike++;
      }
      const isCompared = others < MOST_COMPARED;
      return {
        others: Math.min(others, MOST_PEOPLE),
        othersOfPlatform: isCompared ? Math.min(ofPlatform, MOST_PEOPLE) : null,
        othersAlike: isCompared ? Math.min(alike, MOST_PEOPLE) : null,
      };
    },
  };
}
