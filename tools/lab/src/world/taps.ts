// Taps on links by people, and their effects: an install, an opening, or nothing.
import { getOrMake } from '../get-or-make.ts';
import type { Install, Opening, Tap } from './events.ts';
import type { Ground } from './ground.ts';
import type { Installs } from './installs.ts';
import type { Browser, Phone } from './phones.ts';
import type { Random } from './random.ts';
import { DAY, MINUTE, SECOND, someTime } from './time.ts';

/** Links that people tap besides the one that they were sent. */
const RECENT_GROUPS = 50;
/** How often somebody near the inviter is looked for. */
const MOST_TRIES = 30;
const MOST_PEOPLE = 2 ** 26;

/** Simulates all days: people with and without the app tap, and people install. */
export function simulateTaps(ground: Ground, installs: Installs) {
  const { values, size, people, phones, places, random: randomFor } = ground;
  const random = randomFor('taps');
  const { made, series } = createTapping(ground, random);
  const taps: Tap[] = [];
  const openings: Opening[] = [];
  const tapTimes = new Map<number, number[]>();
  const openingTimes = new Map<number, number[]>();
  const groups: number[] = [];
  // An invitation stands for several taps, one of a campaign for one.
  const onCampaigns = values.campaignTaps * values.groupSize;
  const campaignShare = onCampaigns / (1 - values.campaignTaps + onCampaigns);
  let links = values.campaignLinks;
  const burstDay = size.warmUp + Math.floor(size.days / 2);

  for (let day = 0; day < size.warmUp + size.days; day++) {
    installs.advance(day * DAY);
    simulateDay(day);
  }
  return {
    taps,
    openings,
    /** Returns the times at which the person tapped the link, in no order. */
    tapsOf: (person: number, link: number): readonly number[] => tapTimes.get(keyOf(person, link)) ?? [],
    /** Returns the times at which the app of the person opened the link, in no order. */
    openingsOf: (person: number, link: number): readonly number[] => openingTimes.get(keyOf(person, link)) ?? [],
  };

  function simulateDay(day: number): void {
    const users = installs.count();
    const afterTap = users * values.dailyInstalls * values.installsAfterTap;
    const burst = day === burstDay ? values.burst : 1;
    let fresh = random.poisson((burst * afterTap) / values.tappersWhoInstall);
    let known = random.poisson(users * values.userTaps);
    for (let n = random.poisson(users * values.dailyInstalls * (1 - values.installsAfterTap)); n > 0; n--) {
      const at = someTime(random, day);
      const person = installs.isReturn() ? installs.returning(at) : installs.stranger();
      installs.add({ ...installs.organic(at), phone: phones.phoneOf(person, 0), elsewhere: false, due: null });
    }
    while (fresh + known > 0) {
      const isCampaign = random.chance(campaignShare);
      const link = isCampaign ? random.below(values.campaignLinks) : links++;
      const inviter = isCampaign ? null : installs.someUser();
      const sentAt = someTime(random, day);
      if (inviter !== null) sendInvitation(inviter, link, sentAt);
      const invitations = isCampaign ? 1 : random.atLeastOne(values.groupSize);
      for (let i = 0; i < invitations && fresh + known > 0; i++) {
        const at = isCampaign ? sentAt : Math.floor(sentAt + random.logNormal(values.inviteMinutes * MINUTE, 1.5));
        if (random.below(fresh + known) < fresh) {
          fresh--;
          tapWithoutApp(at, link, inviter);
        } else {
          known--;
          const friend = invited(inviter, true);
          tapOfUser(friend === null ? installs.someUser() : installs.of(friend)!, at, link);
        }
      }
    }
  }

  function sendInvitation({ phone }: Install, link: number, at: number): void {
    groups.push(link);
    if (!random.chance(values.ownPreviews)) return;
    const browser = phones.browserOf(phone, false, random);
    taps.push(made(phone, browser, link, at));
  }

  function tapWithoutApp(at: number, link: number, inviter: Install | null): void {
    const willInstall = random.chance(values.tappersWhoInstall);
    const person =
      willInstall && installs.isReturn() ? installs.returning(at) : (invited(inviter, false) ?? installs.stranger());
    const phone = phones.phoneOf(person, 0);
    const usesOther = random.chance(values.secondDevices * values.installedOnOther);
    const tapped = series(usesOther ? phones.phoneOf(person, 1) : phone, at, link);
    const other = random.chance(values.tapOtherLink) ? otherTap(tapped[0]!, phone) : [];
    if (!willInstall) {
      note([...tapped, ...other]);
      return;
    }
    const times = installs.afterTap(at);
    const before = [...tapped, ...other].filter((tap) => tap.at <= times.installedAt);
    note(before);
    const due = before.reduce((a, b) => (b.at >= a.at ? b : a));
    const elsewhere = random.chance(values.otherNetwork);
    const install = installs.add({ ...times, phone, elsewhere, due });
    for (const tap of other) if (tap.at > times.firstStartAt) tapOfUser(install, tap.at, tap.link);
  }

  function tapOfUser(user: Install, at: number, link: number): void {
    if (at < user.firstStartAt || at >= user.removedAt) return;
    noteTime(tapTimes, user.phone.person, link, at);
    if (!random.chance(values.userTapsAtServer)) {
      open(user, link, at);
      return;
    }
    const tapped = series(user.phone, at, link);
    note(tapped);
    if (!random.chance(values.userTapsOpened)) return;
    for (const tap of tapped) {
      if (tap.platform === null) continue;
      open(user, link, Math.ceil(tap.at + random.logNormal(values.openAfterSeconds * SECOND, 0.8)));
    }
  }

  function open({ phone: { person }, clientFrom }: Install, link: number, at: number): void {
    // An app without the client says nothing of its openings.
    if (at < clientFrom) return;
    openings.push({ at, person, link, v4: places.addressesOf(person, at, 2).v4 });
    noteTime(openingTimes, person, link, at);
  }

  function otherTap(first: Tap, phone: Phone): Tap[] {
    const at = Math.floor(first.at + random.uniform() * DAY);
    const recent = groups.slice(-RECENT_GROUPS);
    const isCampaign = recent.length === 0 || random.chance(values.campaignTaps);
    const link = isCampaign ? random.below(values.campaignLinks) : random.pick(recent);
    return series(phone, at, link);
  }

  /** Returns a person who lives or works with the inviter. Null: the inviter invites anybody. */
  function invited(inviter: Install | null, hasApp: boolean): number | null {
    if (inviter === null) return null;
    const { person } = inviter.phone;
    const where = random.uniform();
    const isAtHome = where < values.invitedAtHome;
    const isAtWork = !isAtHome && where < values.invitedAtHome + values.invitedAtWork;
    const office = isAtWork ? people.officeOf(person) : -1;
    const near = isAtHome ? people.atHome(people.homeOf(person)) : office >= 0 ? people.atOffice(office) : null;
    if (near === null) return null;
    // In a small office everybody may have the app already.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const other = random.pick(near);
      if (other !== person && installs.isTaken(other) === hasApp) return other;
    }
    return null;
  }

  function note(made: readonly Tap[]): void {
    for (const tap of made) {
      taps.push(tap);
      noteTime(tapTimes, tap.person, tap.link, tap.at);
    }
  }
}

/** Makes taps of a phone, or of the desktop of its person. */
function createTapping({ values, phones, places }: Ground, random: Random) {
  /** Returns a tap, and for some people the same tap again. The second one may be in another browser. */
  function series(phone: Phone, at: number, link: number): Tap[] {
    if (random.chance(values.desktopTaps)) return [desktopTap(phone, link, at)];
    const inApp = random.chance(values.inAppTaps);
    const browser = phones.browserOf(phone, inApp, random);
    const first = made(phone, browser, link, at);
    if (!random.chance(values.tapAgain)) return [first];
    const again = Math.ceil(at + random.logNormal(values.tapAgainMinutes * MINUTE, 0.8));
    const isOther = inApp && random.chance(0.5);
    return [first, made(phone, isOther ? phones.browserOf(phone, false, random) : browser, link, again)];
  }

  function made(phone: Phone, browser: Browser, link: number, at: number): Tap {
    const { person, platform } = phone;
    const here = places.addressesOf(person, at, 1);
    const { relay, ...seen } = browser;
    const v4 = relay ? places.relayAddress(person, at) : here.v4;
    const v6 = !relay && random.chance(values.browserIpv6) ? here.v6 : -1;
    return { id: -1, at, person, phone, link, v4, v6, platform, ...seen };
  }

  function desktopTap(phone: Phone, link: number, at: number): Tap {
    const { person } = phone;
    const { v4, v6 } = places.addressesOf(person, at, 1);
    const none = { inApp: false, osVersion: null, model: null, hintedModel: null, build: null };
    const seen = { userAgent: phones.desktopBrowser(person), ...none };
    return { id: -1, at, person, phone, link, v4, v6, platform: null, ...seen };
  }

  return { made, series };
}

const keyOf = (person: number, link: number): number => link * MOST_PEOPLE + person;

const noteTime = (times: Map<number, number[]>, person: number, link: number, at: number) =>
  getOrMake(times, keyOf(person, link), () => []).push(at);
