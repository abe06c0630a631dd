// Keeps the sightings at each address, as the product's table of contacts does.
import { CROWD_MINUTES } from '@landfall/attribution/matching';
import { getOrMake } from '../get-or-make.ts';
import type { Platform } from '../world/phones.ts';
import { DAY, HOUR, MINUTE } from '../world/time.ts';
import type { PhoneFacts } from './told.ts';

interface Contact {
  firstAt: number;
  lastAt: number;
  /** `NEVER` when no heartbeat came from there. */
  lastHeartbeatAt: number;
  platform: Platform | null;
  model: number | null;
}

/** A time before all others. */
export const NEVER = Number.NEGATIVE_INFINITY;

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
export function createContacts(keep: number) {
  const places = new Map<number, Map<number, Contact>>();
  /** Returns the others who were at the address after a time. */
  const othersAt = (address: number, who: number, since: number) =>
    [...(places.get(address) ?? [])].filter(([other, { lastAt }]) => other !== who && lastAt > since);

  return {
    /** Records that somebody is at the address. */
    record(address: number, who: number, at: number, isHeartbeat: boolean, { platform, model }: Phone): void {
      const place = getOrMake(places, address, () => new Map<number, Contact>());
      const known = place.get(who);
      if (known === undefined || known.lastAt < at - keep) {
        place.set(who, { firstAt: at, lastAt: at, lastHeartbeatAt: isHeartbeat ? at : NEVER, platform, model });
        return;
      }
      known.lastAt = at;
      if (isHeartbeat) known.lastHeartbeatAt = at;
      if (platform !== null) known.platform = platform;
      if (model !== null && model !== known.model) known.model = known.model === null ? model : SEVERAL;
    },

    /** Returns the contact as it was recorded last. */
    find: (address: number, who: number): Contact | undefined => places.get(address)?.get(who),

    countOthers: (address: number, who: number, at: number): number =>
      Math.min(MOST_PEOPLE, othersAt(address, who, at - COUNTED).length),

    /** Counts the others who came there for the first time in the last seven days. */
    countNewcomers(address: number, who: number, at: number): number {
      const since = at - NEWCOMER;
      const last = othersAt(address, who, since)
        .sort(([, a], [, b]) => b.lastAt - a.lastAt)
        .slice(0, MOST_COMPARED);
      return Math.min(MOST_PEOPLE, last.filter(([, { firstAt }]) => firstAt > since).length);
    },

    /** Returns the others who came there for the first time in the last ten minutes. */
    cameJustNow: (address: number, who: number, at: number): number[] =>
      othersAt(address, who, at - JUST_NOW)
        .filter(([, { firstAt }]) => firstAt > at - JUST_NOW)
        .map(([other]) => other),

    /** Counts the others of the 24 hours before, and compares their phones with this one. */
    compareOthers(address: number, who: number, at: number, { platform, model }: Phone) {
      const others = othersAt(address, who, at - COUNTED);
      const ofPlatform = others.filter(
        ([, one]) => one.platform === null || platform === null || one.platform === platform,
      );
      const alike = ofPlatform.filter(([, one]) => model === null || [null, SEVERAL, model].includes(one.model));
      const isCompared = others.length < MOST_COMPARED;
      return {
        others: Math.min(others.length, MOST_PEOPLE),
        /** Without those on another platform. Null when there are too many to compare. */
        othersOfPlatform: isCompared ? Math.min(ofPlatform.length, MOST_PEOPLE) : null,
        /** Without those on another platform or model. */
        othersAlike: isCompared ? Math.min(alike.length, MOST_PEOPLE) : null,
      };
    },
  };
}
export type Contacts = ReturnType<typeof createContacts>;
