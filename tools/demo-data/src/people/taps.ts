// Taps and their consequences: a store, an install, a restore, an open.
import { LinkClicked, LinkOpened, LinksRestored, utmNames } from '@landfall/contracts';
import type { Agenda } from '../agenda.ts';
import type { Day, Range } from '../days.ts';
import { type Channel, channels, referrerOf } from '../links/channels.ts';
import type { PlannedLink } from '../links/demo-links.ts';
import { picker, type Random, randomOf } from '../random.ts';
import { type Client, clientMaker, type PhoneOwner, phoneOwner } from './clients.ts';
import { type Devices, versionOn } from './devices.ts';
import { type Starts, wayFor } from './starts.ts';

interface Tap {
  readonly id: string;
  readonly link: PlannedLink;
  readonly at: number;
}

/** A person with their taps of the day, the oldest first. */
interface Person {
  readonly client: Client;
  readonly taps: Tap[];
  hasApp: boolean;
}

/** The share of taps by a person who tapped something on this day before. */
const AGAIN = 0.17;
/** The number of people of a channel who may tap again. */
const RECENT_PEOPLE = 48;

/** The share of people who install the app after a tap. The page in an app's browser is one more step. */
const INSTALLS = { store: 0.125, page: 0.07 };
const MOST_DELAY_MS = 20 * 3_600_000;

/** The share of installs by a link that the restore finds. */
const RESTORES = 0.87;
const wayOf = { ios: picker({ address: 76, token: 24 }), android: picker({ token: 64, address: 36 }) };

export function createTaps(
  { appId, days, key }: Range,
  agenda: Agenda,
  devices: Devices,
  starts: Starts,
  random: Random,
) {
  const clientOf = clientMaker(random, randomOf(`homes ${key}`));
  const recent = new Map<Channel, Person[]>();

  function personIn(channel: Channel): Person {
    let people = recent.get(channel);
    if (people === undefined) {
      people = [];
      recent.set(channel, people);
    }
    if (people.length > 0 && random.chance(AGAIN)) return people[random.below(people.length)]!;
    const person: Person = { client: clientOf(channel), taps: [], hasApp: false };
    if (people.length < RECENT_PEOPLE) people.push(person);
    else people[random.below(RECENT_PEOPLE)] = person;
    return person;
  }

  function tap(link: PlannedLink, at: number, day: Day): void {
    const channel = channels[link.channel];
    const person = personIn(channel);
    const { client, taps } = person;
    const { platform } = client;
    const isPhone = platform === 'ios' || platform === 'android';
    const target = targetOf(client, random);
    const id = random.uuid();
    agenda.add(LinkClicked, id, at, {
      linkId: link.linkId,
      appId,
      url: link.url,
      sealedUrl: null,
      platform,
      inApp: client.inAppBrowser !== null,
      deferred: isPhone,
      address: client.address,
      userAgent: client.userAgent,
      target,
      // A QR code is scanned by a phone.
      via: isPhone ? channel.via : 'link',
      country: client.country,
      referrer: referrerOf(channel, random),
      browser: client.browser,
      os: client.os,
      osVersion: client.osVersion,
      model: null,
      builds: null,
      language: client.language,
      inAppBrowser: client.inAppBrowser,
      utm: link.utm,
      utmOfLink: utmNames.filter((name) => link.utm?.[name]),
      labels: link.labels,
    });
    taps.push({ id, link, at });
    // The more people have the app, the more open links with it.
    if (random.chance(0.05 + 0.3 * day.progress)) open(link, phoneOwner(random), at + random.below(300_000), day);
    if (!isPhone || person.hasApp || target === 'web' || target === null) return;
    if (random.chance(INSTALLS[target] * channel.quality)) install(person, { ...client, platform }, at, day);
  }

  function install(person: Person, owner: Client & PhoneOwner, tappedAt: number, day: Day): void {
    person.hasApp = true;
    const delay = Math.min(MOST_DELAY_MS, 20_000 + random.skewed(4 * 60_000, 1.4));
    const at = Math.floor(tappedAt + delay);
    const { event, device, platform, country, appVersion } = devices.install(owner, at, day, true);
    const last = person.taps.at(-1)!;
    if (!random.chance(RESTORES)) {
      event.start = starts.losing(owner, at, last);
      return;
    }
    const restoredAt = at + 300 + random.below(2_500);
    // Each link once, with its last tap.
    const links = [...new Map(person.taps.map((tapped) => [tapped.link, tapped])).values()].sort((a, b) => a.at - b.at);
    const restoreId = random.uuid();
    const id = random.uuid();
    const matchType = wayFor(platform, wayOf[platform](random), restoredAt - last.at);
    event.start = starts.finding(owner, at, last, { id: restoreId, at: restoredAt, byToken: matchType === 'token' });
    agenda.add(LinksRestored, id, restoredAt, {
      restoreId,
      appId,
      device,
      matchType,
      links: links.map(({ id, link, at }) => ({
        linkId: link.linkId,
        pendingLinkId: id,
        tappedAt: new Date(at).toISOString(),
      })),
      platform,
      country,
      appVersion,
    });
    if (random.chance(0.9)) open(links.at(-1)!.link, owner, restoredAt + 500 + random.below(15_000), day);
  }

  function open(link: PlannedLink, { platform, country, address }: PhoneOwner, at: number, day: Day): void {
    const appVersion = versionOn(day.index - random.below(9), days.length);
    const { linkId, utm, labels } = link;
    const data = { linkId, appId, address, platform, country, appVersion, utm, labels };
    agenda.add(LinkOpened, random.uuid(), at, data);
  }

  return {
    tap,
    /** Forgets the people of the day before. */
    beginDay: () => recent.clear(),
  };
}

/** Browsers in apps start no store, so they get a page. */
function targetOf({ platform, inAppBrowser }: Client, random: Random): 'store' | 'web' | 'page' {
  if (platform === 'desktop') return 'web';
  if (platform === 'unknown' || inAppBrowser !== null) return 'page';
  return random.chance(0.97) ? 'store' : 'page';
}
