// The scenarios. They do not know how the product is started.
import { setTimeout as delay } from 'node:timers/promises';
import { type Asks, load } from './load/load.ts';
import { create, getBySlug, heartbeat, opened, openLink, register, restore, tap } from './load/requests.ts';
import type { Pending } from './pending-links.ts';
import { freshAddress, type Site } from './product/site.ts';
import { openable } from './pushes.ts';

export interface Scenario {
  /** The name for `--only`. The part before a dash names all that share it. */
  name: string;
  title: string;
  /** At least this share of the requests that the Express hello answers. Left out: shown, and not judged. */
  target?: number;
  /** The pending links in attribution's table before the scenario. */
  pending?: Pending;
  /** The settings of the product, if they are not the defaults. */
  settings?: Readonly<Record<string, string>>;
  /** The number of connections; the usual one when left out. */
  connections?: number;
  /** Half of the answers must come within so many milliseconds. */
  p50?: number;
  /** After the load: resolves when all of it is stored. That may take two seconds. */
  stored?(site: Site): Promise<void>;
  /** Brings about what the requests need, and gives them. Called once, before `seconds` of load. */
  asks(site: Site, seconds: number): Asks | Promise<Asks>;
}

const FEW = 10_000;
const CROWDED = '203.0.113.7';
/** More than any machine that this was run on. */
const MOST_A_SECOND = 15_000;

/** @param many pending links, where there are many */
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
      title: `restore, ${number(many)} pending links`,
      target: 0.1,
      pending: everywhere,
      asks: restoreNothing,
    },
    {
      name: 'restore-found',
      title: `restore of a tap, ${number(many)} pending links`,
      pending: everywhere,
      asks: restoreTaps,
    },
    {
      name: 'restore-crowd',
      title: `restore, ${number(many)} at that address`,
      target: 0.1,
      pending: { count: many, at: CROWDED },
      // One address may restore 20 times a minute. That is counted here as everywhere, and lies out of reach.
      settings: { RATE_LIMITS: 'restore=999999999' },
      asks: (site) => () => restore(site, CROWDED, 0),
    },
  ];
}

/** Over Kafka, every service a process of its own, everything on this machine. */
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

/** Taps for as long as the restores may take: each then finds the one from its address. */
async function restoreTaps(site: Site, seconds: number): Promise<Asks> {
  const tapped: string[] = [];
  const asks = askEach(1, (...tapping: Parameters<typeof tap>) => {
    tapped.push(tapping[2]);
    return tap(...tapping);
  });
  const { firstWrong } = await load(site.product, { asks: asks(site), warmUp: 0, seconds });
  if (firstWrong !== undefined) throw new Error(`a tap got another answer: ${firstWrong}`);
  let next = 0;
  return () => {
    const address = tapped[next++];
    return address === undefined ? undefined : restore(site, address, 1);
  };
}

/** Each device opens it once. */
async function openPushes(site: Site, seconds: number): Promise<Asks> {
  const { notificationId, tokens } = await openable(site, seconds * MOST_A_SECOND);
  let next = 0;
  const open = (address: string) => opened(site, notificationId, tokens[next++]!, address);
  const asks = from(10, open);
  return () => (next < tokens.length ? asks() : undefined);
}

type AskFor = typeof tap;

/** Every link in turn. */
function askEach(times: number, ask: AskFor): (site: Site) => Asks {
  return (site) => {
    let next = 0;
    return from(times, (address) => ask(site, site.links[next++ % site.links.length]!, address));
  };
}

/** Each address asks so many times, within its limit, and never again. */
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
