// Where a person is at a time, and the addresses that the network there gives.
import type { Values } from '../assumptions/assumptions.ts';
import type { People } from './people.ts';
import { drawOf } from './random.ts';
import { DAY, HOUR } from './time.ts';

/** An address is a number. Equal numbers are equal addresses, and an IPv6 address counts as its /64. */
interface Addresses {
  readonly v4: number;
  /** -1 when the network has no IPv6. */
  readonly v6: number;
}

const RELAY_ADDRESSES = 5_000;
/** Every IPv6 network has a number above those of IPv4 addresses. */
const IPV6 = 2 ** 32;
const SESSIONS = 2_000;

const DRAW = { fixed: 1, nat: 2, homeV6: 3, officeV6: 4, cafeV6: 5, mobileV6: 6, wifi: 7, workStart: 8, workStay: 9 };
const MORE = { home: 11, cafe: 12, whichCafe: 13, offset: 14, session: 15, sessionStart: 16, keeps: 17, other: 18 };

export function createPlaces(people: People, values: Values, seed: number) {
  const draw = (what: number, a: number, b = 0) => drawOf(seed, what, a, b);
  const cafes = Math.max(1, Math.round(people.count / values.cafeRegulars));
  const mobiles = Math.max(1, Math.round(people.count / values.mobileSubscribers));
  const sharedHomes = values.natHomes / values.fixedInternet;
  const base = { nat: people.homes, office: 2 * people.homes };
  const cafeBase = base.office + people.offices;
  const mobileBase = cafeBase + cafes;
  const relayBase = mobileBase + mobiles;
  const farBase = relayBase + RELAY_ADDRESSES;

  return {
    /**
     * Returns the addresses of a request.
     * @param request distinguishes several requests of one person at one time
     * @param elsewhere true when the person uses another network there: mobile and not Wi-Fi, or the reverse
     */
    addressesOf(person: number, at: number, request: number, elsewhere = false): Addresses {
      const wifi = wifiOf(person, at);
      if (wifi !== null && !elsewhere) return wifi;
      if (wifi === null && elsewhere) return atHome(person) ?? mobile(person, at, request);
      return mobile(person, at, request);
    },
    /** Returns an address of Private Relay. */
    relayAddress: (person: number, at: number): number =>
      relayBase + Math.floor(draw(MORE.session, person, Math.floor(at / HOUR)) * RELAY_ADDRESSES),
    /** Returns an address at which nobody of this world is. */
    farAddress: (n: number): number => farBase + n,
  };

  /** Returns the addresses of the Wi-Fi where the person is, or null. */
  function wifiOf(person: number, at: number): Addresses | null {
    const hour = (((at % DAY) + DAY) % DAY) / HOUR;
    const office = people.officeOf(person);
    const stay = Math.floor(at / (values.stayHours * HOUR) + draw(MORE.offset, person));
    if (office >= 0) {
      const begins = 7 + 3 * draw(DRAW.workStart, person);
      const isAtWork = hour >= begins && hour < begins + 8 && draw(DRAW.workStay, person, stay) < values.workPresence;
      if (isAtWork) return draw(DRAW.wifi, person) < values.officeWifi ? atOffice(office) : null;
    }
    const sleeps = hour < 6.5 || hour >= 23;
    if (sleeps || draw(MORE.home, person, stay) < values.awakeAtHome) return atHome(person);
    return draw(MORE.cafe, person, stay) < values.outInCafes ? atCafe(person) : null;
  }

  function atHome(person: number): Addresses | null {
    const home = people.homeOf(person);
    if (draw(DRAW.fixed, home) >= values.fixedInternet) return null;
    const block = Math.floor(home / sharedHomes);
    const isBehindNat = draw(DRAW.nat, block) < values.homesBehindNat;
    const v6 = draw(DRAW.homeV6, home) < values.homesWithIpv6 ? IPV6 + home : -1;
    return { v4: isBehindNat ? base.nat + block : home, v6 };
  }

  function atOffice(office: number): Addresses {
    const v4 = base.office + office;
    return { v4, v6: draw(DRAW.officeV6, office) < values.officesWithIpv6 ? IPV6 + v4 : -1 };
  }

  function atCafe(person: number): Addresses {
    const v4 = cafeBase + Math.floor(draw(MORE.whichCafe, person) * cafes);
    return { v4, v6: draw(DRAW.cafeV6, v4) < values.officesWithIpv6 ? IPV6 + v4 : -1 };
  }

  function mobile(person: number, at: number, request: number): Addresses {
    const session = Math.floor(at / (values.mobileSessionHours * HOUR) + draw(MORE.sessionStart, person));
    const keeps = draw(MORE.keeps, person, at + request) < values.mobileKeepsAddress;
    const which = keeps ? draw(MORE.session, person, session) : draw(MORE.other, person, at + request);
    const hasV6 = draw(DRAW.mobileV6, person) < values.mobileIpv6;
    // Each session has a network of its own.
    const v6 = hasV6 ? 2 * IPV6 + person * SESSIONS + (((session % SESSIONS) + SESSIONS) % SESSIONS) : -1;
    return { v4: mobileBase + Math.floor(which * mobiles), v6 };
  }
}
export type Places = ReturnType<typeof createPlaces>;
