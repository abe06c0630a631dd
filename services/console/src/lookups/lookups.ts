// Caches who calls, and the apps, teams and links that they name.
import type { Bus, EventToTell } from '@landfall/bus';
import {
  type App,
  AppChanged,
  type DataOf,
  type EventDef,
  FindLink,
  FindNotification,
  type Link,
  LinkEdited,
  PersonChanged,
  ResolveLink,
  ShareChanged,
  TeamChanged,
  TokenRevoked,
} from '@landfall/contracts';
import { MAX_HOST, slugsToFind } from '@landfall/gateway';
import { ApiError, createCache, createWatchers, forgetAt } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import { orNoAnswer } from '../common/database-away.ts';
import type { KnownSession } from '../sessions/session-repository.ts';
import type { KnownShare } from '../shares/share-repository.ts';
import type { Team } from '../teams/team-repository.ts';
import type { KnownToken } from '../tokens/token-repository.ts';

export type Lookups = ReturnType<typeof createLookups>;

/** A look-up returns null when the thing does not exist, and rejects with Busy or NoAnswer when nobody answers. */
export function createLookups(bus: Bus, account: AccountRepository) {
  const tokens = createCache<KnownToken>({
    max: 10_000,
    load: (hash) => orNoAnswer(account.tokens.find(hash)),
    tagsOf: ({ caller }) => (caller.kind === 'token' ? [caller.userId] : []),
  });
  const sessions = createCache<KnownSession>({
    max: 10_000,
    load: (hash) => orNoAnswer(account.sessions.find(hash)),
    tagsOf: ({ caller }) => [caller.userId],
  });
  const shares = createCache<KnownShare>({
    max: 10_000,
    load: (hash) => orNoAnswer(account.shares.find(hash)),
  });
  const sharesById = createCache<KnownShare>({
    max: 10_000,
    load: (id) => orNoAnswer(account.shares.findById(id)),
  });
  const teams = createCache<Team>({
    max: 1_000,
    load: (teamId) => orNoAnswer(account.teams.find(teamId)),
  });
  const apps = createCache<App>({
    max: 10_000,
    load: async (appId) => (await orNoAnswer(account.apps.find([appId]))).get(appId) ?? null,
  });
  const links = createCache<Link>({
    max: 20_000,
    load: async (linkId) => found(await bus.ask(FindLink, { linkId }))?.link ?? null,
  });
  const notifications = createCache<{ appId: string }>({
    max: 1_000,
    async load(notificationId) {
      const known = found(await bus.ask(FindNotification, { notificationId }));
      return known && { appId: known.notification.appId };
    },
  });

  const watchers = createWatchers();
  const heard = new Map<string, (data: never) => void>();
  /** Forgets at an event, of any process. This process calls `seen` for its own, so that its next answer is right. */
  function on<E extends EventDef>(event: E, caches: { doubt(): void }[], forget: (data: DataOf<E>) => void): void {
    forgetAt(bus, event, [...caches, watchers], forget);
    heard.set(event.name, forget as (data: never) => void);
  }
  on(PersonChanged, [sessions, tokens], ({ userId }) => {
    for (const cache of [sessions, tokens]) cache.forgetTag(userId);
    watchers.changed(userId);
  });
  on(AppChanged, [apps], ({ appId }) => {
    apps.forget(appId);
    watchers.changed(appId);
  });
  on(TeamChanged, [teams], ({ teamId }) => {
    teams.forget(teamId);
    watchers.changed(teamId);
  });
  on(TokenRevoked, [tokens], ({ tokenId, hash }) => {
    tokens.forget(hash);
    watchers.changed(tokenId);
  });
  on(ShareChanged, [shares, sharesById], ({ shareId, hash }) => {
    shares.forget(hash);
    sharesById.forget(shareId);
  });
  forgetAt(bus, LinkEdited, [links], ({ linkId }) => links.forget(linkId));

  /** Throws 404 when the app of an authorised request no longer exists. */
  async function existingApp(appId: string): Promise<App> {
    const app = await apps.get(appId);
    if (!app) throw new ApiError('APP_NOT_FOUND');
    return app;
  }

  return {
    seen: ({ event, data }: EventToTell): void => heard.get(event.name)?.(data as never),
    /** Finds a management token by its SHA-256. The caller must check its expiry. */
    token: tokens.get,
    /** Finds a session by the SHA-256 of its id. The caller must check its end. */
    session: sessions.get,
    async sessionAnew(hash: string): Promise<KnownSession | null> {
      sessions.forget(hash);
      return sessions.get(hash);
    },
    /** Finds a share by the SHA-256 of its secret. The caller must check its expiry. */
    share: shares.get,
    /** The same by its id, which opens nothing. */
    shareById: sharesById.get,
    team: teams.get,
    /** Forgets a link whose change this console has just learned from an answer. */
    forgetLink: ({ id }: Pick<Link, 'id'>): void => links.forget(id),
    /** Calls `seen` when one of these people, tokens, apps or teams may have changed, after the caches forgot it. */
    watch: watchers.watch,
    app: apps.get,
    existingApp,
    link: links.get,
    /** Returns a link and its app. Throws 404 when they no longer exist. */
    async existingLink(linkId: string): Promise<{ link: Link; app: App }> {
      const link = await links.get(linkId);
      if (!link) throw new ApiError('LINK_NOT_FOUND');
      return { link, app: await existingApp(link.appId) };
    },
    /** Finds the app of a subdomain of the link domain, or of a whole host name. Not from a cache. */
    host: async (host: string): Promise<App | null> =>
      host.length > MAX_HOST ? null : ((await account.apps.findHosts([host])).get(host) ?? null),
    /** Finds a link by its slug, also percent-encoded, in capitals or between punctuation. Not from a cache. */
    async slug(appId: string, given: string): Promise<Link | null> {
      for (const slug of slugsToFind(given)) {
        const link = found(await bus.ask(ResolveLink, { appId, slug }))?.link;
        if (link) return link;
      }
      return null;
    },
    /** Finds the app of a notification, which never changes. */
    notification: notifications.get,
  };
}

/** Every refusal of a look-up means that the thing does not exist. */
const found = <R>(answer: { ok: true; reply: R } | { ok: false }): R | null => (answer.ok ? answer.reply : null);
