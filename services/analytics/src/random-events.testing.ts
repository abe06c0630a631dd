// Random public events of some apps, and a plain count over their list: what every answer must equal.
import { createHash } from 'node:crypto';
import {
  type AnalyticsDimension,
  type AnalyticsMetric,
  type AnalyticsSpelling,
  type DataOf,
  DeviceActive,
  DeviceInstalled,
  type EventDef,
  LinkClicked,
  LinkCreated,
  LinkOpened,
  LinksRestored,
  PushOpened,
  PushRegistered,
  PushSent,
} from '@landfall/contracts';

export interface TestEvent {
  readonly event: EventDef;
  readonly id: string;
  readonly now: Date;
  readonly data: Record<string, unknown>;
}

/** Returns numbers from 0 to 1 that look random, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
export const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Returns the data of a click on an iPhone, with other values where they matter. */
export const aClick = (more: Partial<DataOf<typeof LinkClicked>> = {}): DataOf<typeof LinkClicked> =>
  LinkClicked.data.parse({
    linkId: uuidOf('link'),
    appId: uuidOf('app'),
    url: 'https://shop.example/a',
    platform: 'ios',
    inApp: false,
    deferred: true,
    address: hashOf('home'),
    userAgent: hashOf('Safari'),
    ...more,
  });
export const NO_UTM = { source: null, medium: null, campaign: null, term: null, content: null };

export const APPS = ['app one', 'app two'].map(uuidOf);

interface Options {
  count: number;
  from: Date;
  to: Date;
  seed?: number;
  apps?: readonly string[];
  links?: number;
}

/** Makes events at random times, in random order: clicks mostly, and all other kinds. */
export function randomEvents({ count, from, to, seed = 1, apps = APPS, links = 40 }: Options): TestEvent[] {
  const random = seeded(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const maybe = <T>(value: T): T | null => (random() < 0.2 ? null : value);
  const time = () => new Date(from.getTime() + below(to.getTime() - from.getTime()));
  const linkOf = (appId: string) => uuidOf(`link ${appId} ${Math.floor(random() ** 2 * links)}`);
  const labels = () => (random() < 0.5 ? {} : { inviter: one(['ann', 'bob', 'eve, "x"']), campaign: one(['a', 'b']) });
  const client = () => ({
    platform: maybe(one(['ios', 'android'] as const)),
    country: maybe(one(['DE', 'IN', 'US', 'NP'])),
    appVersion: maybe(one(['1.0', '2.0'])),
  });
  const utm = () =>
    maybe({
      source: maybe('mail'),
      medium: null,
      // Two spellings of one campaign.
      campaign: maybe(one(['spring', 'Spring', ' SPRING ', 'été', 'ÉTÉ', 'y'])),
      term: null,
      content: null,
    });
  const device = () => hashOf(`device ${below(count / 10)}`);
  const clicks: { id: string; appId: string; linkId: string; at: Date }[] = [];

  function makeOne(n: number): TestEvent {
    const appId = one(apps);
    const id = uuidOf(`event ${seed} ${n}`);
    const now = time();
    const of = (event: EventDef, data: object): TestEvent => ({
      event,
      id,
      now,
      data: event.data.parse(data) as never,
    });
    const dice = random();
    if (dice < 0.6) {
      const linkId = linkOf(appId);
      clicks.push({ id, appId, linkId, at: now });
      return of(LinkClicked, {
        linkId,
        appId,
        url: 'https://shop.example/a',
        platform: one(['ios', 'android', 'desktop', 'unknown']),
        inApp: false,
        deferred: true,
        address: maybe(hashOf(`address ${below(30)}`)),
        userAgent: hashOf(`agent ${below(5)}`),
        target: one(['store', 'web', 'page', null]),
        via: one(['link', 'qr', 'banner']),
        country: maybe(one(['DE', 'IN', 'US', 'NP'])),
        referrer: maybe(one(['news.example', 'mail.example'])),
        browser: maybe(one(['Safari', 'Chrome'])),
        os: maybe(one(['iOS', 'Android'])),
        osVersion: maybe('18.1'),
        language: maybe(one(['de', 'hi'])),
        inAppBrowser: maybe('Instagram'),
        utm: utm(),
        labels: labels(),
      });
    }
    if (dice < 0.7)
      return of(LinkOpened, { linkId: linkOf(appId), appId, address: null, ...client(), utm: utm(), labels: labels() });
    if (dice < 0.78) return of(DeviceInstalled, { appId, device: device(), ...client() });
    if (dice < 0.86 && clicks.length > 0) {
      const taken = [one(clicks), one(clicks)].filter((click) => click.appId === appId);
      const links = [...new Map(taken.map((click) => [click.id, click])).values()];
      if (links.length > 0) {
        // A restore comes after the taps.
        const at = new Date(Math.max(now.getTime(), ...links.map((click) => click.at.getTime())));
        const data = {
          restoreId: id,
          appId,
          device: maybe(device()),
          matchType: one(['token', 'address', 'fingerprint', 'email']),
          links: links.map((click) => ({
            linkId: click.linkId,
            pendingLinkId: click.id,
            tappedAt: click.at.toISOString(),
          })),
          ...client(),
        };
        return { ...of(LinksRestored, data), now: at };
      }
    }
    if (dice < 0.9) {
      const day = 1 + below(5);
      const installedAt = new Date(now.getTime() - day * 86_400_000 - below(80_000_000)).toISOString();
      return of(DeviceActive, { appId, device: device(), installedAt, day, ...client() });
    }
    if (dice < 0.93)
      return of(LinkCreated, {
        linkId: linkOf(appId),
        appId,
        slug: id,
        destination: '/',
        version: 1,
        labels: labels(),
      });
    const deviceId = uuidOf(`installed ${below(50)}`);
    const { platform, country, appVersion } = client();
    if (dice < 0.95)
      return of(PushRegistered, {
        deviceId,
        appId,
        platform: platform ?? 'ios',
        kind: 'fcm',
        signedIn: false,
        country,
        appVersion,
      });
    if (dice < 0.98)
      return of(PushSent, {
        notificationId: uuidOf('n'),
        deliveryId: id,
        appId,
        deviceId,
        kind: 'fcm',
        logged: false,
        platform,
      });
    return of(PushOpened, { notificationId: 'n', known: true, appId, deviceId, platform, country, appVersion });
  }
  return Array.from({ length: count }, (_, n) => makeOne(n));
}

/** One thing that is counted once. */
export interface Counted {
  readonly at: Date;
  readonly of: (dimension: AnalyticsDimension) => string | null;
  readonly visitor?: string;
  /** The id of a click, or of the click that led to an install. */
  readonly click?: string;
  readonly device?: unknown;
}

type Of<E extends EventDef> = DataOf<E>;
const DAY_MS = 86_400_000;

/** The events of metrics that count each of them as it is. */
const plainEvents = {
  clicks: LinkClicked,
  visitors: LinkClicked,
  installs: DeviceInstalled,
  activeDevices: DeviceActive,
  linksCreated: LinkCreated,
  registrations: PushRegistered,
  pushesSent: PushSent,
  pushesOpened: PushOpened,
} as const;

/** Of many events, each is looked at once for each app, metric and spelling. */
const known = new WeakMap<readonly TestEvent[], Map<string, Counted[]>>();

/** Returns everything that counts for a metric of an app, from the list of events alone. */
export function countedBy(
  events: readonly TestEvent[],
  appId: string,
  metric: AnalyticsMetric,
  spelling: AnalyticsSpelling = 'folded',
): readonly Counted[] {
  const ofEvents = known.get(events) ?? new Map<string, Counted[]>();
  known.set(events, ofEvents);
  const name = `${appId} ${metric} ${spelling}`;
  const counted = ofEvents.get(name) ?? count(events, appId, metric, spelling);
  ofEvents.set(name, counted);
  return counted;
}

function count(
  events: readonly TestEvent[],
  appId: string,
  metric: AnalyticsMetric,
  spelling: AnalyticsSpelling,
): Counted[] {
  const valueIn = spelling === 'exact' ? exactValue : foldedValue;
  const own = events.filter(({ data }) => data.appId === appId);
  const plain = (event: EventDef, also: (data: Record<string, unknown>) => boolean = () => true): Counted[] =>
    own
      .filter((e) => e.event === event && also(e.data))
      .map(({ id, now, data }) => ({
        at: now,
        click: id,
        of: (dimension) => valueIn(data, dimension),
        visitor: `${data.address ?? ''} ${data.userAgent}`,
      }));
  const clicks = new Map(own.filter((e) => e.event === LinkClicked).map((e) => [e.id, e]));
  const ofClick = (dimension: AnalyticsDimension, pendingLinkId: string): string | null => {
    const click = clicks.get(pendingLinkId);
    return click === undefined ? null : valueIn(click.data, dimension);
  };
  const isOwn = (dimension: AnalyticsDimension) =>
    ['link', 'matchType', 'platform', 'country', 'appVersion'].includes(dimension);

  switch (metric) {
    case 'storeRedirects':
      return plain(LinkClicked, (data) => data.target === 'store');
    case 'opens':
      return plain(LinkOpened).map((open) => ({
        ...open,
        at: new Date(Math.floor(open.at.getTime() / 60_000) * 60_000),
      }));
    case 'restores':
      return restored();
    case 'attributedInstalls':
      return attributed();
    default:
      return plain(plainEvents[metric]);
  }

  function restored(): Counted[] {
    const restores = own.filter((e) => e.event === LinksRestored);
    return restores.flatMap(({ now, data }) =>
      (data as Of<typeof LinksRestored>).links.map(({ linkId, pendingLinkId }) => ({
        at: now,
        of(dimension: AnalyticsDimension) {
          if (dimension === 'link') return linkId;
          return isOwn(dimension) ? valueIn(data, dimension) : ofClick(dimension, pendingLinkId);
        },
      })),
    );
  }

  function attributed(): Counted[] {
    const installs = own.filter((e) => e.event === DeviceInstalled);
    const byTime = (a: TestEvent, b: TestEvent) => a.now.getTime() - b.now.getTime() || (a.id < b.id ? -1 : 1);
    const firstOf = Map.groupBy(installs.sort(byTime), ({ data }) => data.device);
    const restoresOf = Map.groupBy(
      own.filter((e) => e.event === LinksRestored),
      ({ data }) => data.device,
    );
    return [...firstOf.values()].flatMap(([install]) => {
      const restores = (restoresOf.get(install!.data.device) ?? [])
        .filter((e) => Math.abs(e.now.getTime() - install!.now.getTime()) <= DAY_MS)
        .sort(byTime);
      if (restores.length === 0) return [];
      const data = restores[0]!.data as Of<typeof LinksRestored>;
      const last = [...data.links].sort((a, b) => (a.tappedAt! < b.tappedAt! ? -1 : 1)).at(-1)!;
      const of = (dimension: AnalyticsDimension) => {
        if (dimension === 'link') return last.linkId;
        if (dimension === 'matchType') return data.matchType;
        return isOwn(dimension) ? valueIn(install!.data, dimension) : ofClick(dimension, last.pendingLinkId);
      };
      return [{ at: install!.now, of, click: last.pendingLinkId, device: install!.data.device }];
    });
  }
}

function foldedValue(data: Record<string, unknown>, dimension: AnalyticsDimension): string | null {
  const value = exactValue(data, dimension);
  return dimension.startsWith('utm') ? (value?.trim().toLowerCase() ?? null) : value;
}

function exactValue(data: Record<string, unknown>, dimension: AnalyticsDimension): string | null {
  const utm = (data.utm ?? {}) as Record<string, string | null>;
  if (dimension.startsWith('utm')) return utm[dimension.slice(3).toLowerCase()] ?? null;
  if (dimension.startsWith('label:'))
    return (data.labels as Record<string, string> | undefined)?.[dimension.slice(6)] ?? null;
  return ((dimension === 'link' ? data.linkId : data[dimension]) as string | null | undefined) ?? null;
}

interface FollowedClick {
  readonly click: Counted;
  readonly restored: boolean;
  readonly installed: boolean;
  readonly opened: boolean;
}
const followed = new WeakMap<readonly TestEvent[], Map<string, FollowedClick[]>>();

/** Follows the clicks of an app in a range, one by one. */
export function followedIn(events: readonly TestEvent[], appId: string, isIn: (click: Counted) => boolean) {
  const ofEvents = followed.get(events) ?? new Map<string, FollowedClick[]>();
  followed.set(events, ofEvents);
  const all = ofEvents.get(appId) ?? follow(events, appId);
  ofEvents.set(appId, all);
  return all
    .filter(({ click }) => isIn(click))
    .map(({ click, ...steps }) => ({ of: click.of, click: click.click!, ...steps }));
}

function follow(events: readonly TestEvent[], appId: string): FollowedClick[] {
  const own = events.filter(({ data }) => data.appId === appId);
  const restores = own.filter((e) => e.event === LinksRestored);
  const restored = new Set(restores.flatMap(({ data }) => (data as Of<typeof LinksRestored>).links.map(clickOf)));
  const installs = Map.groupBy(
    countedBy(events, appId, 'attributedInstalls').filter(({ click }) => click !== undefined),
    ({ click }) => click!,
  );
  const active = Map.groupBy(
    own.filter((e) => e.event === DeviceActive),
    ({ data }) => data.device,
  );
  const cameBack = ({ at, device }: Counted) => (active.get(device) ?? []).some((e) => e.now > at);
  return countedBy(events, appId, 'clicks').map((click) => {
    const isRestored = restored.has(click.click!);
    const led = isRestored ? (installs.get(click.click!) ?? []) : [];
    return { click, restored: isRestored, installed: led.length > 0, opened: led.some(cameBack) };
  });
}
const clickOf = ({ pendingLinkId }: { pendingLinkId: string }): string => pendingLinkId;

/** Returns the day and the hour on the clock of a zone, as text. */
export function clockOf(timeZone: string): (at: Date) => { day: string; hour: string } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const known = new Map<number, { day: string; hour: string }>();
  return (at) => {
    const minute = Math.floor(at.getTime() / 60_000);
    const found = known.get(minute);
    if (found) return found;
    const text = format.format(at);
    const read = { day: text.slice(0, 10), hour: text.slice(0, 13) };
    known.set(minute, read);
    return read;
  };
}
