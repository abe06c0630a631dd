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
  type Team,
  TeamChanged,
  TokenRevoked,
} from '@landfall/contracts';
import { MAX_HOST, slugToFind } from '@landfall/gateway';
import { createCache, createWatchers, type Watchers } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import { orNoAnswer } from '../common/database-away.ts';
import type { KnownSession } from '../sessions/session-repository.ts';
import type { KnownToken } from '../tokens/token-repository.ts';

/**
 * Each look-up returns null when the thing does not exist. It rejects with Busy or NoAnswer when no service answers.
 */
export interface Lookups {
  /** Forgets what an event of this process makes outdated. */
  seen(event: EventToTell): void;
  /** Finds a management token by its SHA-256. The caller must check its expiry. */
  token(hash: string): Promise<KnownToken | null>;
  /** Finds a session by the SHA-256 of its id. The caller must check its end. */
  session(hash: string): Promise<KnownSession | null>;
  /** Finds a session without the cache. */
  sessionAnew(hash: string): Promise<KnownSession | null>;
  team(teamId: string): Promise<Team | null>;
  /**
   * Removes the sessions and tokens of a person. This console has just learned of the person's change from an answer.
   */
  forgetPerson(userId: string): void;
  /** Does the same for a link. */
  forgetLink(link: Pick<Link, 'id'>): void;
  /**
   * Calls `seen` when one of these people, tokens, apps or teams may have changed. The caches have forgotten it by then.
   */
  watch: Watchers['watch'];
  app(appId: string): Promise<App | null>;
  link(linkId: string): Promise<Link | null>;
  /** Finds the app of a subdomain of the link domain, or of a whole host name. Not from a cache. */
  host(host: string): Promise<App | null>;
  /** Finds a link by its slug, also percent-encoded, in capitals or between punctuation. Not from a cache. */
  slug(appId: string, slug: string): Promise<Link | null>;
  /** Finds the app of a notification, which never changes. */
  notification(notificationId: string): Promise<{ appId: string } | null>;
}

export function createLookups(bus: Bus, account: AccountRepository): Lookups {
  const tokens = createCache<KnownToken>({
    max: 10_000,
    load: (hash) => orNoAnswer(account.tokens.find(hash)),
    tagsOf: ({ person }) => (person ? [person.userId] : []),
  });
  const sessions = createCache<KnownSession>({
    max: 10_000,
    load: (hash) => orNoAnswer(account.sessions.find(hash)),
    tagsOf: ({ userId }) => [userId],
  });
  const teams = createCache<Team>({
    max: 1_000,
    load: (teamId) => orNoAnswer(account.teams.find(teamId)),
    tagsOf: () => [],
  });
  const apps = createCache<App>({
    max: 10_000,
    load: async (appId) => (await orNoAnswer(account.apps.find([appId]))).get(appId) ?? null,
    tagsOf: () => [],
  });
  const links = createCache<Link>({
    max: 20_000,
    load: async (linkId) => found(await bus.ask(FindLink, { linkId }))?.link ?? null,
    tagsOf: () => [],
  });
  const notifications = createCache<{ appId: string }>({
    max: 1_000,
    async load(notificationId) {
      const known = found(await bus.ask(FindNotification, { notificationId }));
      return known && { appId: known.notification.appId };
    },
    tagsOf: () => [],
  });

  const watchers = createWatchers();
  const forgetApp = (appId: string) => {
    apps.forget(appId);
    watchers.changed(appId);
  };
  const forgetPerson = (userId: string) => {
    for (const cache of [sessions, tokens]) cache.forgetTag(userId);
    watchers.changed(userId);
  };
  const forgetTeam = (teamId: string) => {
    teams.forget(teamId);
    watchers.changed(teamId);
  };
  const forgetToken = ({ tokenId, hash }: DataOf<typeof TokenRevoked>) => {
    tokens.forget(hash);
    watchers.changed(tokenId);
  };
  const doubt = (...caches: { doubt(): void }[]) => {
    for (const cache of caches) cache.doubt();
    watchers.doubt();
  };
  const heard = new Map<string, (data: never) => void>();
  /** Forgets at an event, of any process. This process calls `seen` for its own, so that its next answer is right. */
  function on<E extends EventDef>(event: E, hear: (data: DataOf<E>) => void, onGap: () => void): void {
    bus.watch(event, hear, { onGap });
    heard.set(event.name, hear as (data: never) => void);
  }
  on(
    AppChanged,
    ({ appId }) => forgetApp(appId),
    () => doubt(apps),
  );
  on(TokenRevoked, forgetToken, () => doubt(tokens));
  on(
    PersonChanged,
    ({ userId }) => forgetPerson(userId),
    () => doubt(sessions, tokens),
  );
  on(
    TeamChanged,
    ({ teamId }) => forgetTeam(teamId),
    () => doubt(teams),
  );
  bus.watch(LinkEdited, ({ linkId }) => links.forget(linkId), { onGap: () => links.doubt() });

  return {
    seen: ({ event, data }) => heard.get(event.name)?.(data as never),
    token: tokens.get,
    session: sessions.get,
    async sessionAnew(hash) {
      sessions.forget(hash);
      return sessions.get(hash);
    },
    team: teams.get,
    forgetPerson,
    forgetLink: ({ id }) => links.forget(id),
    watch: watchers.watch,
    app: apps.get,
    link: links.get,
    host: async (host) => (host.length > MAX_HOST ? null : ((await account.apps.findHosts([host])).get(host) ?? null)),
    async slug(appId, given) {
      const slug = slugToFind(given);
      return slug === null ? null : (found(await bus.ask(ResolveLink, { appId, slug }))?.link ?? null);
    },
    notification: notifications.get,
  };
}

/** Every refusal of a look-up means that the thing does not exist. */
const found = <R>(answer: { ok: true; reply: R } | { ok: false }): R | null => (answer.ok ? answer.reply : null);
