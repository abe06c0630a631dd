// Feeds of what happens in apps. A feed asks for the latest events of its app while somebody watches, so that an app that
// nobody watches costs nothing, and every gateway can serve every watcher.
import type { Bus } from '@landfall/bus';
import { ListLiveEvents, ListRestores, type LiveEvent, MOST_LIVE_EVENTS, type ReplyOf } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import type { Logger } from '@landfall/runtime';
import { type Naming, withDeviceIds } from '../devices/device-ids.ts';
import { withLinkNames } from '../links/link-names.ts';
import type { Lookups } from '../lookups/lookups.ts';

type Restore = ReplyOf<typeof ListRestores>['restores'][number];

/** Also of a restore without a link. */
type LiveDecision = Pick<
  Restore,
  'id' | 'at' | 'device' | 'platform' | 'matchType' | 'outcome' | 'summary' | 'considered'
> & {
  kind: 'decision';
  /** The link that was given, or would have been. */
  linkId: string | null;
};

/** `linkName`: what people call the link. `deviceId`: names the timeline of the device. Null: not known. */
export type LiveItem = (LiveEvent | LiveDecision) & { linkName: string | null; deviceId: string | null };

/** Milliseconds between two questions. An event is on the screen within a second. */
const EVERY_MS = 400;
/** Milliseconds. Events come to analytics in any order: one that is later than this is not shown. */
const LATE_MS = 20_000;
const DECISIONS = 50;

interface Feed {
  readonly watchers: Set<(items: readonly LiveItem[]) => void>;
  /** The ids of the events that were shown, and when they happened in milliseconds. */
  readonly shown: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
}

interface LiveParts extends Naming {
  bus: Bus;
  log: Logger;
  now: () => Date;
  lookups: Pick<Lookups, 'link'>;
}

export function createLiveFeeds(parts: LiveParts) {
  const feeds = new Map<string, Feed>();

  /** Calls `seen` for the events of an app from now on, as they become known. Returns a function that ends it. */
  function watch(appId: string, seen: (items: readonly LiveItem[]) => void): () => void {
    let feed = feeds.get(appId);
    if (feed === undefined) {
      feed = { watchers: new Set(), shown: new Map(), timer: undefined };
      feeds.set(appId, feed);
      void begin(appId, feed, parts.now().getTime());
    }
    const { watchers } = feed;
    watchers.add(seen);
    return () => {
      watchers.delete(seen);
      if (watchers.size > 0 || feeds.get(appId) !== feed) return;
      clearTimeout(feed.timer);
      feeds.delete(appId);
    };
  }

  /** What happened before the first watcher came, at `started`, is not shown. */
  async function begin(appId: string, feed: Feed, started: number) {
    const known = await latest(appId).catch(() => []);
    for (const { id, at } of known) if (Date.parse(at) < started) feed.shown.set(id, Date.parse(at));
    again(appId, feed);
  }

  function again(appId: string, feed: Feed) {
    if (feeds.get(appId) !== feed) return;
    feed.timer = setTimeout(() => void look(appId, feed), EVERY_MS);
  }

  async function look(appId: string, feed: Feed) {
    try {
      const items = await named(
        appId,
        (await latest(appId)).filter(({ id }) => !feed.shown.has(id)),
      );
      for (const item of items) feed.shown.set(item.id, Date.parse(item.at));
      const old = parts.now().getTime() - 2 * LATE_MS;
      for (const [id, at] of feed.shown) if (at < old) feed.shown.delete(id);
      if (items.length > 0) for (const seen of feed.watchers) seen(items);
    } catch (err) {
      parts.log.debug({ err, appId }, 'the live events of an app could not be read');
    }
    again(appId, feed);
  }

  const latest = (appId: string) => read(appId, new Date(parts.now().getTime() - LATE_MS));

  const named = async (appId: string, items: readonly (LiveEvent | LiveDecision)[]): Promise<LiveItem[]> =>
    withDeviceIds(appId, await withLinkNames(items, parts.lookups), parts);

  /** Returns the events of an app since a time, oldest first, at most {@link MOST_LIVE_EVENTS}. */
  const since = async (appId: string, time: Date): Promise<LiveItem[]> => named(appId, await read(appId, time));

  async function read(appId: string, time: Date) {
    const [events, restores] = await Promise.all([
      parts.bus.ask(ListLiveEvents, { appId, since: time.toISOString(), limit: MOST_LIVE_EVENTS }),
      parts.bus.ask(ListRestores, { appId, limit: DECISIONS, cursor: null }),
    ]);
    const decisions = orRefuse(restores)
      .restores.filter(({ at }) => Date.parse(at) >= time.getTime())
      .map(
        ({ id, at, device, platform, matchType, outcome, summary, considered }): LiveDecision => ({
          ...{ id, at, kind: 'decision', device, platform },
          ...{ matchType, outcome, summary, considered },
          linkId: considered.find(({ taken }) => taken)?.linkId ?? null,
        }),
      );
    return [...orRefuse(events).events, ...decisions].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  }

  return {
    watch,
    since,
    stop() {
      for (const { timer } of feeds.values()) clearTimeout(timer);
      feeds.clear();
    },
  };
}
