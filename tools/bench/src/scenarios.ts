// Defines the scenarios. They do not depend on how the product is started.
import { setTimeout as delay } from 'node:timers/promises';
import { type Ask, type Asks, sendAll } from './load/load.ts';
import { create, getBySlug, heartbeat, opened, openLink, register, restore, tap } from './load/requests.ts';
import type { Pending } from './pending-links.ts';
import { freshAddress, type Site } from './product/site.ts';
import { openable } from './pushes.ts';

export interface Scenario {
  /** The name for `--only`. The part before a dash selects all scenarios that begin with it. */
  name: string;
  title: string;
  /**
   * The minimum rate, as a share of the requests that the Express hello answers. Left out: the rate is shown, but not
   * judged.
   */
  target?: number;
  /** The pending links that attribution must hold before the scenario, with as many devices and contacts. */
  pending?: Pending;
  /** The settings of the product. Left out: the defaults. */
  settings?: Readonly<Record<string, string>>;
  /** The number of connections. Left out: the usual number. */
  connections?: number;
  /** The maximum median response time, in milliseconds. */
  p50?: number;
  /** Called after the load. Resolves when all of the results are stored. The target is two seconds. */
  stored?(site: Site): Promise<void>;
  /** Creates the data that the requests need, and returns the requests. Called once, before `seconds` of load. */
  asks(site: Site, seconds: number): Asks | Promise<Asks>;
}

const FEW = 10_000;
const CROWDED = '203.0.113.7';
/** More requests a second than any machine so far has answered. */
const MOST_A_SECOND = 15_000;

/** @param many number of pending links in the scenarios with many */
export function scenarios(many: number): Scenario[] {
  const number = (n: number) => n.toLocaleString('en');
  const everywhere = { count: many };
  return [
    { name: 'get-by-slug', title: 'get-by-slug, 1,000 hot links', target: 0.5, asks: askEach(10, getBySlug) },
    { name: 'open-link', title: 'get-by-slug by an app that opens it', asks: askEach(1, openLink) },
    { name: 'create', title: 'create', target: 0.2, asks: creates },
    { name: 'tap', title: 'tap', target: 0.2, asks: askEach(1, tap) },
    {
      name: 'heartbeat',
      title: 'heartbeat',
      target: 0.2,
      asks: (site) => from(1, (address) => heartbeat(site, address)),
    },
    {
      name: 'register',
      title: 'register for push',
      target: 0.2,
      asks: (site) => from(10, (address) => register(site, address)),
    },
    { name: 'opened', title: 'an opened push', target: 0.2, asks: openPushes },
    {
      name: 'restore-few',
      title: `restore, ${number(FEW)} pending links`,
      target: 0.1,
      pending: { count: FEW },
      asks: restoreNothing,
    },
    {
      name: 'restore-many',
      title: `restore, ${number(many)} pending links, devices and contacts`,
      target: 0.1,
      pending: everywhere,
      asks: restoreNothing,
    },
    {
      name: 'restore-known',
      title: `restore of a known device, ${number(many)} pending links, devices and contacts`,
      target: 0.1,
      pending: everywhere,
      asks: restoreAgain,
    },
    {
      name: 'restore-found',
      title: `restore of a tap, ${number(many)} pending links, devices and contacts`,
      pending: everywhere,
      asks: restoreTaps,
    },
    {
      name: 'restore-crowd',
      title: `restore, ${number(many)} at that address`,
      target: 0.1,
      pending: { count: many, at: CROWDED },
      // The usual limit is 20 restores a minute for each address. The product still counts restores here, but the limit
      // is out of reach.
      settings: { RATE_LIMITS: 'restore=999999999' },
      asks: (site) => () => restore(site, CROWDED, 0),
    },
  ];
}

/** Returns the scenarios over Kafka. Each service is a process of its own, and everything runs on this machine. */
export function stackScenarios(): Scenario[] {
  let tapped = 0;
  return [
    { name: 'get-by-slug', title: 'get-by-slug, 1,000 hot links', target: 0.4, asks: askEach(10, getBySlug) },
    { name: 'create', title: 'create', target: 0.1, asks: creates },
    { name: 'create-16', title: 'create, 16 connections', connections: 16, p50: 10, asks: creates },
    {
      name: 'tap',
      title: 'tap',
      target: 0.2,
      asks: askEach(1, (...tapping: Parameters<typeof tap>) => {
        tapped++;
        return tap(...tapping);
      }),
      async stored({ product: { database } }) {
        const count = 'select count(*)::int as count from attribution.pending_links';
        while ((await database.rows<{ count: number }>(count))[0]!.count < tapped) await delay(50);
      },
    },
  ];
}

export const creates = (site: Site): Asks => from(5, (address) => create(site, address));

const restoreNothing = (site: Site): Asks => from(1, (address) => restore(site, address, 0));

/** Seconds in which as many devices come as later ones need: an address may send 20 restores a minute. */
const MEETING = 5;

/** Sends the first restores of devices, then returns later ones of the same devices in turn. */
async function restoreAgain(site: Site): Promise<Asks> {
  const known: Ask[] = [];
  const first = restoreNothing(site);
  await sendAll(
    site.product,
    () => {
      const ask = first()!;
      known.push(ask);
      return ask;
    },
    MEETING,
  );
  let next = 0;
  return () => known[next++ % known.length];
}

/**
 * Taps links for as long as the restores may take, then returns the restores. Each restore finds the tap from its
 * address.
 */
async function restoreTaps(site: Site, seconds: number): Promise<Asks> {
  const tapped: string[] = [];
  const asks = askEach(1, (...tapping: Parameters<typeof tap>) => {
    tapped.push(tapping[2]);
    return tap(...tapping);
  });
  await sendAll(site.product, asks(site), seconds);
  let next = 0;
  return () => {
    const address = tapped[next++];
    return address === undefined ? undefined : restore(site, address, 1);
  };
}

/** Returns requests in which each device opens the push once. */
async function openPushes(site: Site, seconds: number): Promise<Asks> {
  const { notificationId, tokens } = await openable(site, seconds * MOST_A_SECOND);
  let next = 0;
  const open = (address: string) => opened(site, notificationId, tokens[next++]!, address);
  const asks = from(10, open);
  return () => (next < tokens.length ? asks() : undefined);
}

type AskFor = typeof tap;

/** Uses all links in turn. */
function askEach(times: number, ask: AskFor): (site: Site) => Asks {
  return (site) => {
    let next = 0;
    return from(times, (address) => ask(site, site.links[next++ % site.links.length]!, address));
  };
}

/** Each address sends `times` requests, which is within its limit, and is never used again. */
function from(times: number, ask: (address: string) => ReturnType<Asks>): Asks {
  let address = '';
  let asked = times;
  return () => {
    if (asked === times) {
      address = freshAddress();
      asked = 0;
    }
    asked++;
    return ask(address);
  };
}
